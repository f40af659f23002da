import { fail } from './reading.js';

/** Bytes of an image (decision 3.88). */
export const MAX_IMAGE = 1024 * 1024;

/** What images may be, with the ending of their names. */
export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
} as const;
export type ImageEnding = keyof typeof IMAGE_TYPES;

/** An image that was sent. */
export interface SentImage {
  bytes: Buffer;
  ending: ImageEnding;
}

/** What the first bytes of each format but SVG are, in Latin-1. */
const SIGNATURES: readonly [ImageEnding, (head: string) => boolean][] = [
  ['png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['jpg', (head) => head.startsWith('\xff\xd8\xff')],
  ['gif', (head) => /^GIF8[79]a/.test(head)],
  ['webp', (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8)],
];

/**
 * The image that `value` is in base64: PNG, JPEG, GIF, WebP or SVG of at most 1 MB (decision 3.88).
 * @throws DeclarationError naming `at`.
 */
export function readImage(value: unknown, at: string): SentImage {
  if (typeof value !== 'string') return fail(at, 'must be a string of base64');
  if (value.length > Math.ceil((MAX_IMAGE / 3) * 4) + 4) return fail(at, 'must be an image of at most 1 MB');
  if (value === '' || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
    return fail(at, 'must be base64');
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length > MAX_IMAGE) return fail(at, 'must be an image of at most 1 MB');
  const ending = endingOf(bytes);
  return ending ? { bytes, ending } : fail(at, 'must be an image: PNG, JPEG, GIF, WebP or SVG');
}

/** What the first bytes say of the format. */
function endingOf(bytes: Buffer): ImageEnding | undefined {
  const head = bytes.subarray(0, 16).toString('latin1');
  const found = SIGNATURES.find(([, signature]) => signature(head))?.[0];
  return found ?? (isSvg(bytes) ? 'svg' : undefined);
}

/** Whether a text in UTF-8 begins with the element `svg`, after declarations and comments. */
function isSvg(bytes: Buffer): boolean {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.includes('\ufffd') || text.includes('\0')) return false;
  for (let at = 0; ;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    if (/^<svg[\s>/]/.test(text.slice(at, at + 5))) return true;
    const end = prologEnd(text, at);
    if (end < 0) return false;
    at = end;
  }
}

/** Where the declaration or comment ends that begins at `at`; -1: there is none. */
function prologEnd(text: string, at: number): number {
  const kinds = [
    ['<?', '?>'],
    ['<!--', '-->'],
    ['<!DOCTYPE', '>'],
  ] as const;
  const kind = kinds.find(([start]) => text.startsWith(start, at));
  if (!kind) return -1;
  const end = text.indexOf(kind[1], at + kind[0].length);
  return end < 0 ? -1 : end + kind[1].length;
}
