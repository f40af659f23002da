import type { Picture } from './picture.js';
import { readPng } from './png.js';
import type { Sheet } from './sheet.js';

/** Images in one PDF: how many, and how many bytes. */
const MAX_PICTURES = 2000;
const MAX_TOTAL = 64 * 1024 * 1024;
/** The widest side that a header may claim. */
const MAX_SIDE = 65_000;

/** The images of a PDF. Each is put into it once, when it is first read, and its bytes are let go. */
export class Pictures {
  private readonly known = new Map<string, Picture | undefined>();
  private total = 0;

  constructor(private readonly sheet: Sheet) {}

  /** Whether `file` was read before, or need not be: there are too many. */
  isDone(file: string): boolean {
    return this.known.has(file) || this.known.size >= MAX_PICTURES || this.total >= MAX_TOTAL;
  }

  /** The image of `file`, if it was read and is one that can be shown. */
  find(file: string): Picture | undefined {
    return this.known.get(file);
  }

  /** Takes the bytes of `file`; those that are no PNG or JPEG, or damaged, are not shown. */
  add(file: string, bytes: Uint8Array | undefined): void {
    const picture = bytes && this.total + bytes.length <= MAX_TOTAL ? this.embed(Buffer.from(bytes)) : undefined;
    this.known.set(file, picture);
    if (picture) this.total += bytes?.length ?? 0;
  }

  private embed(bytes: Buffer): Picture | undefined {
    // files come of any length, empty ones too
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return this.sheet.jpeg(bytes);
    const png = readPng(bytes);
    return png && Math.max(png.width, png.height) <= MAX_SIDE ? this.sheet.png(png) : undefined;
  }
}
