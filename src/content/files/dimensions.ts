import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import type { FileEntry } from '../../revisions/index.js';

/** By the type that the bytes show; only these readers are ever run, and none decodes the picture. */
const READERS = new Map([
  ['image/apng', PNG],
  ['image/gif', GIF],
  ['image/jpeg', JPG],
  ['image/png', PNG],
  ['image/webp', WEBP],
]);
/** The most that a header of these formats can say, in pixels. */
const MOST = 2 ** 31 - 1;
/** Segments before the one that holds the size of a JPEG: photographs have about ten. */
const SEGMENTS = 200;
/** From this orientation on (Exif), the picture is shown lying on its side. */
const SIDEWAYS = 5;

/**
 * The size of an image as it is shown, in pixels, from the header alone; `undefined` for other formats than PNG, JPEG,
 * GIF and WebP, and for headers that are damaged.
 *
 * @param type The type that the bytes show.
 */
export function dimensionsOf(head: Buffer, type: string | undefined): FileEntry['dimensions'] {
  const reader = READERS.get(type ?? '');
  if (!reader) return undefined;
  try {
    // a copy: the readers would read on behind the end of a part of a larger buffer
    const header = new Uint8Array(head);
    if (!reader.validate(header) || (reader === JPG && !hasFrame(head))) return undefined;
    const { width, height, orientation = 1 } = reader.calculate(header);
    if (![width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= MOST)) return undefined;
    return orientation >= SIDEWAYS ? { width: height, height: width } : { width, height };
  } catch {
    // the readers throw whatever comes of reading behind the end
    return undefined;
  }
}

/**
 * Whether the segments of a JPEG lead to its size one after the other: where they do not, the reader would search
 * byte by byte, for seconds.
 */
function hasFrame(jpeg: Buffer): boolean {
  let at = 2;
  for (let segment = 0; segment < SEGMENTS && jpeg[at] === 0xff; segment += 1) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) return true;
    at += 2 + jpeg.readUInt16BE(at + 2);
  }
  return false;
}
