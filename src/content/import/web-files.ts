import type { FileEntry } from '../../revisions/index.js';
import type { NewFile } from '../files/index.js';
import type { ImportRun } from './import-run.js';

const IMAGE = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i;
const MAX_NAME = 100;

/** Fetches and stores the images at `addresses`. @returns as `ImportRun.storeFiles`, by address. */
export function storeImages(
  run: ImportRun,
  addresses: Iterable<string>,
): Promise<{ files: Map<string, FileEntry>; total: number }> {
  return run.storeFiles(addresses, (address) =>
    address.startsWith('data:') ? Promise.resolve(imageIn(address, run.maxBytes)) : fetchImage(run, address),
  );
}

async function fetchImage(run: ImportRun, address: string): Promise<NewFile | undefined> {
  const answer = await run.tryFetch(address, 'image/*');
  if (!answer) return undefined;
  const name = nameOf(answer.url);
  const type = answer.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  // servers of files say that images are text, or nothing that helps
  const isImage =
    type.startsWith('image/') || (/^(?:|text\/plain|application\/octet-stream)$/.test(type) && IMAGE.test(name));
  return isImage ? { name, contentType: type.startsWith('image/') ? type : undefined, bytes: answer.body } : undefined;
}

/** The image that is written in an address itself. */
function imageIn(address: string, maxBytes: number): NewFile | undefined {
  const [, contentType = '', kind = ''] = /^data:(image\/([\w.-]+)[\w.+-]*);base64,/i.exec(address) ?? [];
  const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  return bytes.length === 0 || bytes.length > maxBytes
    ? undefined
    : { name: `image.${kind.toLowerCase()}`, contentType: contentType.toLowerCase(), bytes };
}

/** A name for what lies at `address`. */
function nameOf(address: string): string {
  const segment = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? '';
  const name = decodeSegment(segment)
    .replace(/[\p{Cc}/\\]/gu, '')
    .toWellFormed()
    .slice(-MAX_NAME)
    .toWellFormed();
  return name === '' ? 'image' : name;
}

/** A segment of an address as people read it. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether an address that is written in a text begins with a scheme or a host. */
export function isAbsolute(address: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address);
}
