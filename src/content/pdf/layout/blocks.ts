import { type Box, gap, inset, lineBox, marked, MAX_HEIGHT, type Paint, placed } from './boxes.js';
import { nested, NARROWEST, textBoxes } from './flow.js';
import { printedSize, runsOf } from './inlines.js';
import { linesOf, type Run } from './lines.js';
import { listBoxes } from './lists.js';
import type { Block, BlockOf, Fragment } from './nodes.js';
import type { Frame, Lead } from './scene.js';
import { BODY, CODE, INK, SMALL, type Style } from './style.js';
import { tableBoxes } from './table.js';

/** Reusable contents stand in reusable contents so deep. */
export const MAX_INCLUSIONS = 3;
/** Distance between blocks. */
const BETWEEN = 6.5;
const HEADINGS = { 'heading-1': 16, 'heading-2': 13, 'heading-3': 11 } as const;
const HINTS: Readonly<Record<string, { bar: string; back: string }>> = {
  info: { bar: '#3b7dd8', back: '#eef4fc' },
  success: { bar: '#2f9e58', back: '#ecf8f0' },
  warning: { bar: '#d9822b', back: '#fdf4e8' },
  danger: { bar: '#cf3e36', back: '#fdeeed' },
};

/** The boxes of `blocks`, one below the other. */
export function* blockBoxes(blocks: Iterable<Block>, frame: Frame): Generator<Box> {
  let isFirst = true;
  for (const block of blocks) {
    let distance = isFirst ? 0 : BETWEEN;
    for (const box of boxesOf(block, frame)) {
      if (distance > 0) yield gap(distance);
      distance = 0;
      isFirst = false;
      yield box;
    }
  }
}

function* boxesOf(block: Block, frame: Frame): Generator<Box> {
  switch (block.type) {
    case 'paragraph':
      yield* textBoxes(runsOf(block.nodes, frame), frame, block.data.align);
      break;
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      yield* headingBoxes(block, frame);
      break;
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      yield* listBoxes(block, frame);
      break;
    case 'code':
      yield* codeBoxes(block, frame);
      break;
    case 'images':
      for (const image of block.nodes) yield* imageBoxes(image, frame, block.data.align);
      break;
    case 'image':
      yield* imageBoxes(block, frame);
      break;
    case 'table':
      yield* tableBoxes(block, frame);
      break;
    default:
      yield* containerBoxes(block, frame);
  }
}

/** Blocks that hold other blocks; they are printed one after the other. */
function* containerBoxes(block: Block, frame: Frame): Generator<Box> {
  switch (block.type) {
    case 'blockquote':
      yield* nested(block.nodes, { ...frame, style: { ...frame.style, color: INK.soft } }, 12, bar(INK.quote));
      break;
    case 'hint':
      yield* hintBoxes(block, frame);
      break;
    case 'tabs':
    case 'columns':
    case 'stepper':
      yield* blockBoxes(block.nodes, frame);
      break;
    case 'tabs-item': {
      const { title } = block.data;
      yield* placed(titled(title ?? 'Tab', block.nodes, frame), frame.scene.placeOf(block.meta.id));
      break;
    }
    case 'expandable':
      yield* expandableBoxes(block, frame);
      break;
    case 'stepper-step':
      yield* marked(nested(block.nodes, frame, 14), (sheet, x, base) => {
        sheet.rect(x + 1, base - 6, 5, 5, INK.link);
      });
      break;
    case 'reusable-content':
      // one that holds itself comes to an end
      if (frame.inclusions >= MAX_INCLUSIONS) break;
      yield* blockBoxes(frame.scene.included(block.data.ref), { ...frame, inclusions: frame.inclusions + 1 });
      break;
    case 'if':
    case 'column':
    case 'list-item':
      yield* blockBoxes(block.nodes, frame);
      break;
    default:
      yield* standInBoxes(block, frame);
  }
}

/** Blocks of which a line or two is printed. */
function* standInBoxes(block: Block, frame: Frame): Generator<Box> {
  const { scene, style } = frame;
  const line = (text: string, lead: Lead = {}): Generator<Box> =>
    textBoxes([{ text, style: linked(style, lead) }], frame);
  switch (block.type) {
    case 'divider':
      yield {
        height: 9,
        draw: (sheet, x, y) => {
          sheet.rect(x, y + 4, frame.width, 0.7, INK.line);
        },
      };
      break;
    case 'math':
      yield* sourceBoxes(block.data.formula, { ...frame, style: { ...CODE, italic: true } });
      break;
    case 'embed':
      yield* line(block.data.url, scene.lead({ kind: 'url', url: block.data.url }));
      break;
    case 'content-ref':
    case 'file': {
      const lead = scene.lead(block.data.ref);
      const title = 'title' in block.data ? block.data.title : undefined;
      yield* line(`→ ${title ?? lead.title ?? lead.href ?? ''}`, lead);
      break;
    }
    case 'drawing': {
      const picture = block.data.ref && scene.picture(block.data.ref);
      yield* picture ? pictureBoxes(picture, frame) : line('[drawing]');
      break;
    }
    case 'integration':
      yield* line(
        block.data.url ?? `[${block.data.integration}]`,
        scene.lead({ kind: 'url', url: block.data.url ?? '' }),
      );
      break;
    case 'openapi-operation':
    case 'swagger':
      yield* placed(line(`${block.data.method.toUpperCase()} ${block.data.path}`), scene.placeOf(block.meta.id));
      break;
    case 'openapi-schemas':
      yield* placed(line(block.data.schemas.join(', ')), scene.placeOf(block.meta.id));
      break;
    case 'openapi-webhook':
      yield* placed(line(`${block.data.method.toUpperCase()} ${block.data.name}`), scene.placeOf(block.meta.id));
      break;
    case 'code-line':
      yield* textBoxes(runsOf(block.nodes, { ...frame, style: CODE }), frame);
      break;
    default:
      // comments and tags have no text of their own
      break;
  }
}

function linked(style: Style, { href, goTo }: Lead): Style {
  if (goTo !== undefined) return { ...style, color: INK.link, goTo };
  return href === undefined ? style : { ...style, color: INK.link, href };
}

function* headingBoxes(block: BlockOf<keyof typeof HEADINGS>, frame: Frame): Generator<Box> {
  const level = block.data.level ?? 3;
  const size = level > 3 ? 10 : HEADINGS[block.type];
  const style: Style = { ...frame.style, size, bold: true };
  const lines = textBoxes(runsOf(block.nodes, { ...frame, style }), frame, block.data.align);
  yield gap(size * 0.6, true);
  for (const box of placed(lines, frame.scene.placeOf(block.meta.id))) yield { ...box, keep: true };
}

function* codeBoxes(block: BlockOf<'code'>, frame: Frame): Generator<Box> {
  const { title, lineNumbers } = block.data;
  if (title !== undefined) {
    for (const box of textBoxes([{ text: title, style: { ...SMALL, bold: true } }], frame))
      yield { ...box, keep: true };
  }
  const numbers = lineNumbers === true ? 26 : 0;
  const inner = Math.max(NARROWEST / 2, frame.width - 14 - numbers);
  const style = { ...CODE, size: CODE.size * Math.min(1, frame.style.size / BODY.size) };
  const { fonts } = frame.scene;
  const paint: Paint = (sheet, x, y, height) => {
    sheet.rect(x, y, frame.width, height, INK.code);
  };
  function* lines(): Generator<Box> {
    yield padding(5);
    for (const [index, line] of block.nodes.entries()) {
      const runs = runsOf(line.nodes, { ...frame, style });
      const boxes = Array.from(linesOf(untabbed(runs, style), { fonts, width: inner, pre: true }), (set) =>
        lineBox(set, inner),
      );
      const number = (sheet: Parameters<Box['draw']>[0], x: number, base: number): void => {
        sheet.print(String(index + 1), { ...style, color: INK.soft }, () => ({ x: x - numbers, y: base }));
      };
      yield* numbers > 0 ? marked(boxes, number) : boxes;
    }
    yield padding(5);
  }
  yield* inset(lines(), 7 + numbers, (sheet, x, y, height) => {
    paint(sheet, x, y, height);
  });
}

function* untabbed(runs: Iterable<Run>, empty: Style): Generator<Run> {
  yield { text: '', style: empty };
  for (const run of runs) yield 'text' in run ? { ...run, text: run.text.replaceAll('\t', '    ') } : run;
}

/** A distance that what lies around it is drawn in, wherever it stands. */
function padding(height: number): Box {
  return { height, draw: () => undefined };
}

/** Source as it is written, on the ground of code. */
function* sourceBoxes(source: string, frame: Frame): Generator<Box> {
  const inner = frame.width - 14;
  const lines = linesOf([{ text: source, style: frame.style }], { fonts: frame.scene.fonts, width: inner, pre: true });
  function* boxes(): Generator<Box> {
    yield padding(4);
    for (const line of lines) yield lineBox(line, inner);
    yield padding(4);
  }
  yield* inset(boxes(), 7, (sheet, x, y, height) => {
    sheet.rect(x, y, frame.width, height, INK.code);
  });
}

function* hintBoxes(block: BlockOf<'hint'>, frame: Frame): Generator<Box> {
  const colors = HINTS[block.data.style] ?? { bar: INK.quote, back: INK.code };
  const by = Math.min(12, Math.max(0, frame.width - NARROWEST));
  const inner = { ...frame, width: Math.max(NARROWEST / 2, frame.width - by - 8) };
  function* boxes(): Generator<Box> {
    yield padding(6);
    yield* blockBoxes(block.nodes, inner);
    yield padding(6);
  }
  yield* inset(boxes(), by, (sheet, x, y, height) => {
    sheet.rect(x, y, frame.width, height, colors.back);
    sheet.rect(x, y, 3, height, colors.bar);
  });
}

function bar(color: string): Paint {
  return (sheet, x, y, height) => {
    sheet.rect(x, y, 2.5, height, color);
  };
}

/** A title in a line of its own, and what belongs to it below. */
function* titled(title: string, blocks: readonly Block[], frame: Frame): Generator<Box> {
  for (const box of textBoxes([{ text: title, style: { ...frame.style, bold: true } }], frame)) {
    yield { ...box, keep: true };
  }
  yield gap(2, true);
  yield* nested(blocks, frame, 10, bar(INK.line));
}

function* expandableBoxes(block: BlockOf<'expandable'>, frame: Frame): Generator<Box> {
  const part = (type: string): readonly Block[] => block.fragments.find((found) => found.type === type)?.nodes ?? [];
  const style = { ...frame.style, bold: true };
  const title = placed(blockBoxes(part('expandable-title'), { ...frame, style }), frame.scene.placeOf(block.meta.id));
  for (const box of title) yield { ...box, keep: true };
  yield gap(2, true);
  yield* nested(part('expandable-body'), frame, 10, bar(INK.line));
}

function* imageBoxes(
  { data, fragments }: { data: BlockOf<'image'>['data']; fragments: readonly Fragment[] },
  frame: Frame,
  align: 'left' | 'center' | 'right' = 'center',
): Generator<Box> {
  const picture = frame.scene.picture(data.ref);
  if (picture) {
    const pixels = typeof data.width === 'number' ? data.width * 0.75 : undefined;
    const part =
      typeof data.width === 'object' && data.width.unit === '%' ? (frame.width * data.width.value) / 100 : undefined;
    yield* pictureBoxes(picture, frame, { align, wanted: pixels ?? part });
  } else {
    const lead = frame.scene.lead(data.ref);
    const text = `[${data.alt ?? lead.title ?? 'image'}]`;
    yield* textBoxes([{ text, style: { ...linked(frame.style, lead), italic: true } }], frame);
  }
  const caption = fragments.find(({ type }) => type === 'caption');
  if (caption) yield* blockBoxes(caption.nodes, { ...frame, style: SMALL });
}

function* pictureBoxes(
  picture: Parameters<typeof printedSize>[0],
  frame: Frame,
  { align = 'center', wanted }: { align?: 'left' | 'center' | 'right'; wanted?: number } = {},
): Generator<Box> {
  const [width, height] = printedSize(picture, frame.width, MAX_HEIGHT * 0.8, wanted);
  const free = frame.width - width;
  const shift = align === 'left' ? 0 : align === 'center' ? free / 2 : free;
  yield {
    height: height + 4,
    draw: (sheet, x, y) => {
      sheet.picture(picture, x + shift, y + 2, width, height);
    },
  };
}
