import { lookup } from 'mime-types';
import { lazy } from '../../common/lazy.js';

const fileType = lazy(() => import('file-type'));

/** Bytes from the beginning of a file that tell what it is; the size of a JPEG may stand behind large metadata. */
export const HEAD = 512 * 1024;

const UNKNOWN = 'application/octet-stream';
/** What many formats are made of: a name or a claim that says which one knows better. */
const CONTAINERS = new Set(['application/gzip', 'application/x-cfb', 'application/xml', 'application/zip']);

/** What is known of a file's type beside its bytes. */
interface Claims {
  name: string;
  /** The type that somebody declared. */
  declared?: string;
}

/** The media type that the bytes of a file show by their first bytes, or `undefined`. */
export async function sniffType(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await fileType();
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found?.mime;
}

/**
 * The media type of a file: what its bytes show, else what was declared, else what its name says. A declared type that
 * is malformed counts as none; of its parameters only the charset of text is kept.
 */
export function contentTypeOf(sniffed: string | undefined, { name, declared = '' }: Claims): string {
  const claimed = read(declared) ?? read(lookup(name) || '');
  if (sniffed !== undefined && !(CONTAINERS.has(sniffed) && claimed !== undefined)) return sniffed;
  return claimed ?? UNKNOWN;
}

function read(type: string): string | undefined {
  const [, essence = '', parameters = ''] =
    /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(;.*)?$/s.exec(type) ?? [];
  const known = essence.toLowerCase();
  if (known === '' || known === UNKNOWN) return undefined;
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})"?\s*(?:;|$)/i.exec(parameters) ?? [];
  return known.startsWith('text/') && charset !== undefined ? `${known}; charset=${charset.toLowerCase()}` : known;
}
