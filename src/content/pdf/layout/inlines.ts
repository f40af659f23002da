import { plainText } from '../../../revisions/index.js';
import type { Run } from './lines.js';
import type { InlineContent, Leaf } from './nodes.js';
import type { Picture } from './picture.js';
import type { Frame, Scene } from './scene.js';
import { TEXT_HEIGHT } from './sheet.js';
import { INK, type Style } from './style.js';

type InlineOf<T extends string> = Extract<InlineContent, { type: T }>;

/** Points that a pixel takes: 96 of them are an inch. */
const POINTS = 0.75;
/** Colours of the palette, darker than on a screen. */
const COLORS: Readonly<Record<string, string>> = {
  green: '#1b7a3d',
  blue: INK.link,
  red: '#b42318',
  orange: '#b54708',
  yellow: '#8a6100',
  purple: '#6941c6',
  $primary: INK.link,
  $info: INK.link,
  $success: '#1b7a3d',
  $warning: '#b54708',
  $danger: '#b42318',
};
const BACKS: Readonly<Record<string, string>> = {
  green: '#e3f6ea',
  blue: '#e4eefb',
  red: '#fde8e6',
  orange: '#fdeedd',
  yellow: '#fdf6d8',
  purple: '#f0eafc',
};

/** What is set into lines for `nodes`, one at a time. */
export function* runsOf(
  nodes: readonly InlineContent[],
  { scene, style, width }: Pick<Frame, 'scene' | 'style' | 'width'>,
): Generator<Run> {
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const leaf of node.leaves) yield { text: leaf.text, style: leafStyle(leaf, style) };
    } else if (node.type === 'link') {
      const { href, goTo } = scene.lead(node.data.ref);
      yield* runsOf(node.nodes, { scene, width, style: leading(style, { href, goTo }) });
    } else if (node.type === 'annotation') {
      // a footnote that stands for itself has nothing but its label, and here it has a number
      if (plainText(node.nodes) !== node.data.label) yield* runsOf(node.nodes, { scene, width, style });
      const number = scene.note(node.fragments);
      yield { text: String(number), style: { ...style, size: style.size * 0.7, rise: style.size * 0.35 } };
    } else {
      yield* voidRuns(node, { scene, style, width });
    }
  }
}

type VoidInline = Exclude<InlineContent, { object: 'text' } | { type: 'link' | 'annotation' }>;

function* voidRuns(
  node: VoidInline,
  { scene, style, width }: Pick<Frame, 'scene' | 'style' | 'width'>,
): Generator<Run> {
  switch (node.type) {
    case 'inline-image':
      yield inlineImage(node, scene, style, width);
      break;
    case 'inline-math':
      yield { text: node.data.formula, style: { ...style, mono: true, italic: true, size: style.size * 0.92 } };
      break;
    case 'emoji': {
      const text = emojiOf(node.data.code);
      if (scene.fonts.canShow(text)) yield { text, style };
      break;
    }
    case 'mention':
    case 'button': {
      const { title, ...lead } = scene.lead(node.data.ref);
      yield { text: node.data.label ?? title ?? '…', style: leading({ ...style, bold: node.type === 'button' }, lead) };
      break;
    }
    case 'expression':
      yield { text: node.data.expression, style: codeStyle(style) };
      break;
    case 'icon':
    case 'source':
      break;
  }
}

/** The size in points at which `picture` is printed: its own, or less. */
export function printedSize(picture: Picture, width: number, height: number, wanted?: number): [number, number] {
  const natural = Math.max(1, wanted ?? picture.width * POINTS);
  const scale = Math.min(natural, width, (height * picture.width) / picture.height) / picture.width;
  return [picture.width * scale, picture.height * scale];
}

function inlineImage(node: InlineOf<'inline-image'>, scene: Scene, style: Style, width: number): Run {
  const picture = scene.picture(node.data.ref);
  if (!picture)
    return { text: `[${node.data.caption ?? 'image'}]`, style: { ...style, italic: true, color: INK.soft } };
  const highest = node.data.size === 'line' ? style.size * 1.3 : TEXT_HEIGHT / 2;
  const [wide, high] = printedSize(picture, width, highest);
  return { picture, width: wide, height: high, style };
}

/** The emoji with these code points, in hexadecimal. */
export function emojiOf(code: string): string {
  const points = code.split('-').map((point) => parseInt(point, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : '';
}

function leading(style: Style, { href, goTo }: { href?: string; goTo?: string }): Style {
  if (goTo !== undefined) return { ...style, color: INK.link, goTo };
  return href === undefined ? style : { ...style, color: INK.link, href };
}

function codeStyle(style: Style): Style {
  return { ...style, mono: true, size: style.size * 0.9, back: INK.code };
}

function leafStyle({ marks }: Leaf, style: Style): Style {
  return marks.reduce((set: Style, mark) => {
    switch (mark.type) {
      case 'bold':
        return { ...set, bold: true };
      case 'italic':
        return { ...set, italic: true };
      case 'strikethrough':
        return { ...set, strike: true };
      case 'code':
        return codeStyle(set);
      case 'keyboard':
        return { ...codeStyle(set), back: INK.head };
      case 'superscript':
        return { ...set, size: set.size * 0.7, rise: set.size * 0.35 };
      case 'subscript':
        return { ...set, size: set.size * 0.7, rise: -set.size * 0.15 };
      case 'color': {
        const back = BACKS[mark.data.background];
        return { ...set, color: COLORS[mark.data.text] ?? set.color, ...(back !== undefined && { back }) };
      }
    }
  }, style);
}
