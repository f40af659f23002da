import { create as disposition } from 'content-disposition';
import type { ByteRange } from '../../blobs/index.js';
import type { LinkedFile } from './file-links.js';

/** What of a request decides how a file is sent. */
export interface DownloadRequest {
  /** Header `If-Range`. */
  ifRange?: string;
  /** Whether the caller has these bytes: `If-None-Match` names their tag. */
  fresh: boolean;
  /** Parts that `Range` asks for, each with its last byte; -1 when there are no such bytes, other numbers: not understood. */
  range?: readonly { start: number; end: number }[] | number;
}

/** How a file is sent: status, headers, and which of its bytes, if any. */
export interface Download {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  body?: ByteRange;
}

/** Types that a browser shows without running anything. All others are downloads, PDF included: it can hold scripts. */
const SHOWN = new Set([
  ...['png', 'apng', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'x-icon', 'vnd.microsoft.icon'].map(
    (type) => `image/${type}`,
  ),
  ...['aac', 'flac', 'mp4', 'mpeg', 'ogg', 'opus', 'wav', 'webm', 'x-m4a', 'x-wav'].map((type) => `audio/${type}`),
  ...['mp4', 'mpeg', 'ogg', 'quicktime', 'webm'].map((type) => `video/${type}`),
  'text/plain',
]);

/** Entity tag of the bytes `blob`. */
export function tagOf(blob: string): string {
  return `"${blob}"`;
}

/**
 * How `file`, of `size` bytes, is sent. It is never a page of our own origin: most types are downloads, and those that
 * are shown, or opened all the same, are shut into a sandbox.
 */
export function planDownload(file: LinkedFile, size: number, request: DownloadRequest, now = Date.now()): Download {
  const tag = tagOf(file.blob);
  const shared = {
    ETag: tag,
    'Cache-Control': `private, max-age=${String(Math.max(0, Math.floor((file.expires.getTime() - now) / 1000)))}, immutable`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
  };
  if (request.fresh) return { status: 304, headers: shared };
  const range = request.ifRange === undefined || request.ifRange === tag ? request.range : undefined;
  if (range === -1) return { status: 416, headers: { ...shared, 'Content-Range': `bytes */${String(size)}` } };
  const headers = {
    ...shared,
    'Content-Type': typed(file.contentType),
    'Content-Disposition': disposition(saved(file.name), {
      type: SHOWN.has(essenceOf(file.contentType)) ? 'inline' : 'attachment',
    }),
  };
  // several parts at once are answered with the whole, as a server may
  const [part, ...others] = typeof range === 'object' ? range : [];
  if (!part || others.length > 0) {
    return { status: 200, headers: { ...headers, 'Content-Length': String(size) }, body: { start: 0, end: size } };
  }
  const body = { start: part.start, end: part.end + 1 };
  return {
    status: 206,
    headers: {
      ...headers,
      'Content-Range': `bytes ${String(part.start)}-${String(part.end)}/${String(size)}`,
      'Content-Length': String(body.end - body.start),
    },
    body,
  };
}

/** Under which name a file is saved: no path, and nothing that shows it as another one than it is. */
function saved(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '_') || 'file';
}

const essenceOf = (type: string): string => type.split(';', 1)[0] ?? '';

/** `type` as a header may say it, with the charset of text that names none. */
function typed(type: string): string {
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; charset=[\w.:-]+)?$/.test(type)) return 'application/octet-stream';
  return type.startsWith('text/') && !type.includes(';') ? `${type}; charset=utf-8` : type;
}
