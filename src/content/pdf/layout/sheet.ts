import PDFDocument from 'pdfkit';
import { MAX_BYTES, MAX_PRINTED, TooLargeError } from './job.js';
import type { Face, Fonts } from './fonts.js';
import type { Item } from './lines.js';
import type { Picture } from './picture.js';
import type { PngParts } from './png.js';
import { SMALL, type Style } from './style.js';

/** A printed page that is written later; see {@link Sheet.hold}. */
export type HeldPage = PDFKit.PDFPage;
/** An entry of the outline, to put others below. */
export type OutlineItem = PDFKit.PDFOutline;

/** A4, in points, and what is left free on each side. */
export const PAGE = { width: 595.28, height: 841.89, top: 64, bottom: 64, side: 62 } as const;
/** Width of the text. */
export const TEXT_WIDTH = PAGE.width - 2 * PAGE.side;
/** Height of the text. */
export const TEXT_HEIGHT = PAGE.height - PAGE.top - PAGE.bottom;
/** Links that a PDF has; those beyond are printed as text. */
const MAX_LINKS = 50_000;

/** The PDF that is being written, page by page: draws in points from the top left corner. */
export class Sheet {
  private readonly pdf: PDFKit.PDFDocument;
  private readonly places = new Map<string, { name: string; isSet: boolean }>();
  private printed = 0;
  private written = 0;
  private links = 0;
  private images = 0;

  constructor(
    private readonly fonts: Fonts,
    private readonly about: { title: string; date: Date },
  ) {
    this.pdf = new PDFDocument({
      autoFirstPage: false,
      size: [PAGE.width, PAGE.height],
      margin: 0,
      pdfVersion: '1.7',
      displayTitle: true,
      fontLayoutCache: false,
      info: { Title: about.title, Producer: 'Colophon', Creator: 'Colophon', CreationDate: about.date },
    });
    // the library would say all of it again in XML, and not escape the title
    Object.assign(this.pdf, { endMetadata: () => undefined });
  }

  /** Number of the present page, from 1. */
  get number(): number {
    return this.printed;
  }

  /** Begins a page, with its number at its foot if it is to have one. @throws TooLargeError */
  newPage(numbered = true): void {
    if (this.printed >= MAX_PRINTED) throw new TooLargeError();
    this.pdf.addPage();
    this.printed += 1;
    if (!numbered) return;
    const y = PAGE.height - 36;
    const number = String(this.printed);
    this.print(number, { ...SMALL }, (width) => ({ x: PAGE.width - PAGE.side - width, y }));
    this.print(shortened(this.about.title, 90), { ...SMALL }, () => ({ x: PAGE.side, y }));
  }

  /** Keeps the present page from being written until {@link release}. */
  hold(): HeldPage {
    const page = this.pdf.page;
    // the library ends each page as it begins the next
    page.end = () => undefined;
    return page;
  }

  /** Draws on a page that was held, and writes it. */
  release(page: HeldPage, draw: () => void): void {
    this.on(page, draw);
    Reflect.deleteProperty(page, 'end');
    // the last one is written at the end of all
    if (page !== this.pdf.page) page.end();
  }

  /** The present page, for {@link on}. */
  get page(): HeldPage {
    return this.pdf.page;
  }

  /** Does `work` as if `page` were the present one. */
  on(page: HeldPage, work: () => void): void {
    const present = this.pdf.page;
    this.pdf.page = page;
    work();
    this.pdf.page = present;
  }

  /** Draws what stands in a line whose letters stand at `base`. */
  item(item: Item, x: number, base: number): void {
    const { style, width } = item;
    const left = x + item.x;
    if ('picture' in item) {
      this.picture(item.picture, left, base - item.height, width, item.height);
      this.lead(style, left, base - item.height, width, item.height);
      return;
    }
    const { size } = style;
    if (style.back !== undefined) this.rect(left - 0.8, base - size * 0.95, width + 1.6, size * 1.3, style.back);
    this.letters(item.text, item.face, style, left, base - (style.rise ?? 0), width);
    if (style.strike === true) this.rect(left, base - size * 0.32, width, 0.6, style.color);
    this.lead(style, left, base - size, width, size * 1.3);
  }

  /** Draws a filled rectangle. */
  rect(x: number, y: number, width: number, height: number, color: string): void {
    this.pdf.rect(x, y, width, height).fill(color);
  }

  /** Draws an image into a rectangle. */
  picture(picture: Picture, x: number, y: number, width: number, height: number): void {
    this.pdf.image(picture.source as unknown as string, x, y, { fit: [width, height] });
  }

  /** Draws a single line of text where `at`, which is told its width, says. */
  print(text: string, style: Style, at: (width: number) => { x: number; y: number }): void {
    const pieces = this.fonts.pieces(text, style);
    const start = at(pieces.reduce((sum, { width }) => sum + width, 0));
    const { y } = start;
    let { x } = start;
    for (const { text: part, face, width } of pieces) {
      this.letters(part, face, style, x, y, width);
      this.lead(style, x, y - style.size, width, style.size * 1.3);
      x += width;
    }
  }

  /** Says that the place `name` is at `y` of the present page. The first to say so counts. */
  place(name: string, y: number): void {
    const place = this.placeOf(name);
    if (place.isSet) return;
    place.isSet = true;
    this.pdf.addNamedDestination(place.name, 'XYZ', 0, Math.max(0, y), null);
  }

  /** The places that something leads to, and that are nowhere. */
  missingPlaces(): string[] {
    return [...this.places].flatMap(([name, { isSet }]) => (isSet ? [] : [name]));
  }

  /** Adds an entry to the outline, below `parent` or at the top, that leads to the present page. */
  outline(title: string, parent: OutlineItem | undefined): OutlineItem {
    return (parent ?? this.pdf.outline).addItem(title);
  }

  /** Puts a JPEG image into the PDF; `undefined` when it is damaged. */
  jpeg(bytes: Buffer): Picture | undefined {
    try {
      const image = (this.pdf as unknown as { openImage(bytes: Buffer): Jpeg }).openImage(bytes);
      if (!(image.width > 0 && image.height > 0) || image.colorSpace === undefined) return undefined;
      image.embed(this.pdf);
      const isLying = image.orientation > 4;
      const [width, height] = isLying ? [image.height, image.width] : [image.width, image.height];
      return { width, height, source: image };
    } catch {
      return undefined;
    }
  }

  /** Puts a PNG image into the PDF. */
  png({ width, height, bits, kind, palette, pixels, alpha }: PngParts): Picture {
    const space = kind === 0 ? 'DeviceGray' : 'DeviceRGB';
    const common = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, Filter: 'FlateDecode' };
    const image = this.pdf.ref({
      ...{ ...common, BitsPerComponent: bits },
      ColorSpace: palette ? ['Indexed', space, palette.length / 3 - 1, this.stream({}, palette)] : space,
      DecodeParms: { Predictor: 15, Colors: kind === 2 ? 3 : 1, BitsPerComponent: bits, Columns: width },
      ...(alpha && { SMask: this.stream({ ...common, BitsPerComponent: 8, ColorSpace: 'DeviceGray' }, alpha) }),
    });
    image.end(pixels);
    this.images += 1;
    return { width, height, source: { width, height, obj: image, label: `P${String(this.images)}` } };
  }

  /** Ends the PDF. */
  end(): void {
    this.pdf.end();
  }

  /** What has been written since this was asked last. @throws TooLargeError */
  taken(): Uint8Array | undefined {
    const bytes = this.pdf.read() as Buffer | null;
    this.written += bytes?.length ?? 0;
    if (this.written > MAX_BYTES) throw new TooLargeError();
    return bytes ?? undefined;
  }

  private letters(text: string, face: Face, { size, color }: Style, x: number, base: number, width: number): void {
    const font = face.font as unknown as string;
    this.pdf.registerFont(face.name, font).font(face.name).fontSize(size).fillColor(color);
    // features, if none: the library then takes the text as a whole, and not word by word
    const measured = { textWidth: width, wordCount: 1, features: [] };
    this.pdf.text(text, x, base, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...measured,
    } as PDFKit.Mixins.TextOptions);
  }

  /** Makes a rectangle lead to where `style` says. */
  private lead({ href, goTo }: Style, x: number, y: number, width: number, height: number): void {
    if (href === undefined && goTo === undefined) return;
    this.links += 1;
    if (this.links > MAX_LINKS) return;
    if (goTo !== undefined) this.pdf.goTo(x, y, width, height, this.placeOf(goTo).name);
    else if (href !== undefined) this.pdf.link(x, y, width, height, href);
  }

  private placeOf(name: string): { name: string; isSet: boolean } {
    const place = this.places.get(name) ?? { name: `p${String(this.places.size)}`, isSet: false };
    this.places.set(name, place);
    return place;
  }

  private stream(data: object, bytes: Buffer): PDFKit.PDFKitReference {
    const stream = this.pdf.ref(data);
    stream.end(bytes);
    return stream;
  }
}

/** What the library makes of a JPEG. */
interface Jpeg {
  width: number;
  height: number;
  orientation: number;
  colorSpace: string | undefined;
  embed(pdf: PDFKit.PDFDocument): void;
}

/** `text`, cut to so many characters. */
export function shortened(text: string, length: number): string {
  const chars = Array.from(text);
  return chars.length <= length ? text : `${chars.slice(0, length - 1).join('')}…`;
}
