import { type Box, gap, lineBox, marked } from './boxes.js';
import { nested } from './flow.js';
import { linesOf } from './lines.js';
import type { BlockOf } from './nodes.js';
import type { Frame } from './scene.js';
import type { Sheet } from './sheet.js';

type List = BlockOf<'list-ordered' | 'list-unordered' | 'list-tasks'>;

const BULLETS = ['•', '◦', '▪'];
const INDENT = 15;

/** The boxes of a list: each item further right, with its mark beside its first line. */
export function* listBoxes(list: List, frame: Frame): Generator<Box> {
  const first = list.type === 'list-ordered' ? (list.data.start ?? 1) : 0;
  const widest = list.type === 'list-ordered' ? String(first + list.nodes.length).length : 1;
  const indent = Math.max(INDENT, 8 + widest * 6);
  for (const [index, item] of list.nodes.entries()) {
    if (index > 0) yield gap(2.5);
    const text = markOf(list, item, { number: first + index, depth: frame.lists });
    const mark = (sheet: Sheet, x: number, base: number): void => {
      sheet.print(text, { ...frame.style, bold: false }, (width) => ({
        x: list.type === 'list-ordered' ? x + Math.max(0, indent - 5 - width) : x + 3,
        y: base,
      }));
    };
    yield* marked(itemBoxes(item, frame, indent), mark);
  }
}

function markOf(
  list: List,
  { data: { checked } }: BlockOf<'list-item'>,
  { number, depth }: { number: number; depth: number },
): string {
  if (list.type === 'list-ordered') return `${String(number)}.`;
  if (checked !== undefined) return checked ? '☑' : '☐';
  return BULLETS[depth % BULLETS.length] ?? '•';
}

function* itemBoxes(item: BlockOf<'list-item'>, frame: Frame, indent: number): Generator<Box> {
  let isEmpty = true;
  for (const box of nested(item.nodes, { ...frame, lists: frame.lists + 1 }, indent)) {
    isEmpty = false;
    yield box;
  }
  if (!isEmpty) return;
  for (const line of linesOf([{ text: '', style: frame.style }], { fonts: frame.scene.fonts, width: frame.width })) {
    yield lineBox(line, frame.width);
  }
}
