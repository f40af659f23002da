import { deflateSync, inflateSync } from 'node:zlib';

/** A PNG image, as a PDF holds it: deflated, its transparency apart. */
export interface PngParts {
  width: number;
  height: number;
  bits: number;
  /** `0` grey, `2` colours, `3` palette. */
  kind: 0 | 2 | 3;
  palette?: Buffer;
  /** Deflated lines of pixels, each with the filter of PNG. */
  pixels: Buffer;
  /** Deflated, a byte for each pixel. */
  alpha?: Buffer;
}

interface Header {
  width: number;
  height: number;
  bits: number;
  kind: number;
  isInterlaced: boolean;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Pixels of an image that is passed on, and of one that is taken apart here. */
const MAX_PIXELS = 100_000_000;
const MAX_DECODED = 12_000_000;
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Takes a PNG apart; `undefined` for one that is damaged, interlaced, or too large. */
export function readPng(bytes: Buffer): PngParts | undefined {
  if (!bytes.subarray(0, 8).equals(SIGNATURE) || bytes.length < 33) return undefined;
  const chunks = chunksOf(bytes);
  const header = headerOf(chunks.get('IHDR')?.[0]);
  const data = Buffer.concat(chunks.get('IDAT') ?? []);
  if (!header || data.length === 0) return undefined;
  const { width, height, bits, kind } = header;
  const palette = chunks.get('PLTE')?.[0];
  if (kind === 3 && (!palette?.length || palette.length % 3 !== 0 || palette.length > 768)) return undefined;
  const clear = chunks.get('tRNS')?.[0];
  if (kind === 4 || kind === 6 || (kind === 3 && clear)) return split(header, data, palette, clear);
  const given = kind === 3 ? { palette } : {};
  return { width, height, bits, kind: kind as 0 | 2 | 3, ...given, pixels: data };
}

function chunksOf(bytes: Buffer): Map<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length || type === 'IEND') break;
    const found = chunks.get(type) ?? [];
    found.push(bytes.subarray(at + 8, end));
    chunks.set(type, found);
    at = end + 4;
  }
  return chunks;
}

function headerOf(chunk: Buffer | undefined): Header | undefined {
  if (chunk?.length !== 13) return undefined;
  const [bits = 0, kind = 0, , , interlace = 0] = chunk.subarray(8);
  const header = {
    ...{ width: chunk.readUInt32BE(0), height: chunk.readUInt32BE(4) },
    ...{ bits, kind, isInterlaced: interlace !== 0 },
  };
  const depths = kind === 0 ? [1, 2, 4, 8, 16] : kind === 3 ? [1, 2, 4, 8] : [8, 16];
  const isKnown = kind in CHANNELS && depths.includes(bits);
  const pixels = header.width * header.height;
  return isKnown && !header.isInterlaced && pixels > 0 && pixels <= MAX_PIXELS ? header : undefined;
}

/** Takes the transparency of an image apart from its colours. */
function split(header: Header, data: Buffer, palette?: Buffer, clear?: Buffer): PngParts | undefined {
  const { width, height, bits, kind } = header;
  if (width * height > MAX_DECODED) return undefined;
  const lines = unfiltered(header, data);
  if (!lines) return undefined;
  const alpha = Buffer.alloc(width * height);
  if (kind === 3) {
    const row = Math.ceil((width * bits) / 8);
    for (let at = 0; at < alpha.length; at += 1) {
      const [y, x] = [Math.floor(at / width), at % width];
      const byte = lines[y * row + ((x * bits) >> 3)] ?? 0;
      const index = (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
      alpha[at] = clear?.[index] ?? 255;
    }
    return { width, height, bits, kind, ...(palette && { palette }), pixels: data, alpha: deflateSync(alpha) };
  }
  const colors = kind === 4 ? 1 : 3;
  const step = bits === 16 ? 2 : 1;
  const row = width * colors + 1;
  // each line begins with its filter: none
  const pixels = Buffer.alloc(row * height);
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    let to = y * row + 1;
    for (let x = 0; x < width; x += 1) {
      for (let color = 0; color < colors; color += 1, from += step) pixels[to++] = lines[from] ?? 0;
      alpha[y * width + x] = lines[from] ?? 255;
      from += step;
    }
  }
  const parts = { width, height, bits: 8, kind: kind === 4 ? 0 : 2 } as const;
  return { ...parts, pixels: deflateSync(pixels), alpha: deflateSync(alpha) };
}

/** The lines of pixels without their filters; `undefined` when they are not what the header says. */
function unfiltered({ width, height, bits, kind }: Header, data: Buffer): Buffer | undefined {
  const pixelBits = bits * (CHANNELS[kind] ?? 0);
  const row = Math.ceil((width * pixelBits) / 8);
  const left = Math.max(1, pixelBits >> 3);
  const raw = inflated(data, (row + 1) * height);
  if (!raw) return undefined;
  // in place: what is written lies before what is read, and large images take half the memory
  const lines = raw.subarray(0, row * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (row + 1)] ?? 0;
    const start = y * row;
    for (let x = 0; x < row; x += 1) {
      const value = raw[y * (row + 1) + 1 + x] ?? 0;
      const before = x >= left ? (lines[start + x - left] ?? 0) : 0;
      const above = y > 0 ? (lines[start - row + x] ?? 0) : 0;
      const corner = x >= left && y > 0 ? (lines[start - row + x - left] ?? 0) : 0;
      lines[start + x] = value + predicted(filter, before, above, corner);
    }
  }
  return lines;
}

function inflated(data: Buffer, size: number): Buffer | undefined {
  try {
    const raw = inflateSync(data, { maxOutputLength: size });
    return raw.length === size ? raw : undefined;
  } catch {
    return undefined;
  }
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
