import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error.js';

/** The codings that are asked for, and a little more that servers send unasked. */
const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

type Coding = keyof typeof DECODERS;

/** By so many bytes, what was compressed may be larger than what it was made from. */
const OVERHEAD = 1024;

/** What requests name as the codings they understand. */
export const ACCEPTED_CODINGS = 'gzip, br';

/**
 * The whole body of `response`, decompressed.
 *
 * @throws OutboundError `too-large` as soon as more than `maxBytes` have come, compressed or not; `failed` for a coding
 * that is not understood. Whatever else breaks it off is thrown as it is.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const decoder = decoderOf(response.headers['content-encoding'] ?? '');
  const announced = Number(response.headers['content-length'] ?? 0);
  const onTheWay = decoder ? maxBytes + OVERHEAD : maxBytes;
  if (announced > onTheWay) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of bounded(source, maxBytes)) chunks.push(chunk);
  };
  if (decoder) {
    await pipeline(response, (source: AsyncIterable<Buffer>) => bounded(source, onTheWay), decoder, collect);
  } else {
    await pipeline(response, collect);
  }
  return Buffer.concat(chunks);
}

/**
 * The first `bytes` of the body of `response`, as they were sent; what came before it broke off, where it does.
 */
export async function readStart(response: IncomingMessage, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bytes) break;
    }
  } catch {
    // the status is known by then, and says what became of the request
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

async function* bounded(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function decoderOf(encoding: string) {
  const coding = encoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity') return undefined;
  if (!Object.hasOwn(DECODERS, coding)) {
    throw new OutboundError('failed', 'The address answers with a compression that is not understood; use another one');
  }
  return DECODERS[coding as Coding]();
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('too-large', `The address answers with more than ${String(maxBytes)} bytes`);
}
