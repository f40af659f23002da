import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font, type Glyph, type GlyphPosition } from 'fontkit';
import type { Style } from './style.js';

/** A font of one width, weight and slope. */
export interface Face {
  readonly name: string;
  readonly font: Font;
  /** Ems in a unit of the font. */
  readonly scale: number;
  /** Widths of characters in units of the font, as far as they were asked for. */
  readonly advances: Map<number, number>;
}

/** A stretch of text in one face, with its width in points. */
export interface Piece {
  readonly text: string;
  readonly face: Face;
  readonly width: number;
  /** It is shaped: it is printed by itself, since shaping takes long for long texts. */
  readonly shaped?: boolean;
  /** It is written from right to left. */
  readonly leftward?: boolean;
}

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
/** Marks that stand on other letters, and scripts that are joined or written from right to left: they need shaping. */
const SHAPED = /[\p{M}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
/** Scripts that are written from right to left. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;
/** Shown by themselves they are nothing: joiners, variation selectors, marks of direction, soft hyphens. */
const UNSEEN =
  /\u00ad|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]|\p{Variation_Selector}|\ufeff|[\u{e0000}-\u{e007f}]/gu;
/** Stands for a character that no font here has. */
const MISSING = '\u25a1';
/** A word is shaped in parts of so many characters. */
const LONG = 64;
const JOINED = /\p{M}/u;
const ASCII = /^[\x20-\x7e]*$/;

/** Words whose pieces are kept, for each face and size. */
const KEPT = 20_000;

/** The fonts, read when they are first needed: what they can show, and how wide it is. */
export class Fonts {
  private readonly faces: Face[] = [];
  private readonly known = new Map<number, Map<string, readonly Piece[]>>();

  /** `text` in the faces that have its characters, one after the other. */
  pieces(text: string, style: Style): readonly Piece[] {
    if (text.length > LONG) return this.split(text, style);
    const kind = indexOf(style) + 8 * style.size;
    let words = this.known.get(kind);
    if (!words || words.size > KEPT) this.known.set(kind, (words = new Map<string, readonly Piece[]>()));
    let pieces = words.get(text);
    if (!pieces) words.set(text, (pieces = this.split(text, style)));
    return pieces;
  }

  /** Whether each character of `text` can be shown. */
  canShow(text: string): boolean {
    const face = this.face({});
    return [...text.replace(UNSEEN, '')].every((char) => has(face, char));
  }

  /** The width of `text` in points; it must be in `face`. */
  width(text: string, { font, scale, advances }: Face, size: number): number {
    if (SHAPED.test(text)) return font.layout(text).advanceWidth * scale * size;
    let width = 0;
    for (const char of text) {
      const code = char.codePointAt(0) ?? 0;
      let advance = advances.get(code);
      if (advance === undefined) advances.set(code, (advance = font.glyphForCodePoint(code).advanceWidth));
      width += advance;
    }
    return width * scale * size;
  }

  private split(text: string, style: Style): Piece[] {
    const face = this.face(style);
    if (ASCII.test(text)) return [this.piece(text, face, style)];
    const missing = this.faceFor(MISSING, face, style) ?? face;
    const pieces: Piece[] = [];
    let open = '';
    let openFace = face;
    for (const char of text.replace(UNSEEN, '').replace(/\t/g, '    ')) {
      const found = this.faceFor(char, face, style);
      const wanted = found ?? missing;
      const turns = open !== '' && !JOINED.test(char) && LEFTWARD.test(char) !== LEFTWARD.test(open);
      if (open !== '' && (wanted !== openFace || turns || open.length >= LONG)) {
        pieces.push(this.piece(open, openFace, style));
        open = '';
      }
      openFace = wanted;
      open += found ? char : MISSING;
    }
    if (open !== '') pieces.push(this.piece(open, openFace, style));
    return pieces;
  }

  private piece(text: string, face: Face, { size }: Style): Piece {
    const width = this.width(text, face, size);
    return SHAPED.test(text)
      ? { text, face, width, shaped: true, leftward: LEFTWARD.test(text) }
      : { text, face, width };
  }

  private faceFor(char: string, face: Face, { bold }: Pick<Style, 'bold'>): Face | undefined {
    if (has(face, char)) return face;
    return [this.face({ bold }), this.face({})].find((other) => has(other, char));
  }

  private face(style: Pick<Style, 'mono' | 'bold' | 'italic'>): Face {
    const index = indexOf(style);
    return (this.faces[index] ??= openFace(style));
  }
}

function indexOf({ mono = false, bold = false, italic = false }: Pick<Style, 'mono' | 'bold' | 'italic'>): number {
  return (mono ? 4 : 0) + (bold ? 2 : 0) + (italic ? 1 : 0);
}

function has({ font }: Face, char: string): boolean {
  return font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0);
}

function openFace({ mono = false, bold = false, italic = false }: Pick<Style, 'mono' | 'bold' | 'italic'>): Face {
  const slope = `${bold ? 'Bold' : ''}${italic ? 'Oblique' : ''}`;
  const name = `DejaVuSans${mono ? 'Mono' : 'Condensed'}${slope && '-'}${slope}`;
  const font = withQuickLayout(create(readFileSync(join(FOLDER, `${name}.ttf`))) as Font);
  return { name, font, scale: 1 / font.unitsPerEm, advances: new Map() };
}

/**
 * The same font, laying out plain letters one after the other. Shaping costs fifty times as much, and here it would do
 * nothing for them but kerning.
 */
function withQuickLayout(font: Font): Font {
  const glyphs = new Map<number, Glyph>();
  const known = new Map<number, boolean>();
  const layout: Font['layout'] = (text, ...rest) => {
    if (SHAPED.test(text)) return font.layout(text, ...rest);
    const run: Glyph[] = [];
    const positions: GlyphPosition[] = [];
    let advanceWidth = 0;
    for (const char of text) {
      const code = char.codePointAt(0) ?? 0;
      let glyph = glyphs.get(code);
      if (!glyph) glyphs.set(code, (glyph = font.glyphForCodePoint(code)));
      run.push(glyph);
      // of its own for each: the library changes them
      positions.push({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 });
      advanceWidth += glyph.advanceWidth;
    }
    return { glyphs: run, positions, advanceWidth } as ReturnType<Font['layout']>;
  };
  const hasGlyphForCodePoint = (code: number): boolean => {
    let isThere = known.get(code);
    if (isThere === undefined) known.set(code, (isThere = font.hasGlyphForCodePoint(code)));
    return isThere;
  };
  return Object.create(font, {
    layout: { value: layout },
    hasGlyphForCodePoint: { value: hasGlyphForCodePoint },
  }) as Font;
}
