import { type Box, MAX_HEIGHT } from './boxes.js';
import { textBoxes } from './flow.js';
import { linesOf, type Run } from './lines.js';
import { runsOf } from './inlines.js';
import type { Block, BlockOf, Fragment } from './nodes.js';
import type { Frame } from './scene.js';
import type { Sheet } from './sheet.js';
import { BODY, INK } from './style.js';

type Table = BlockOf<'table'>;
type Column = Table['data']['definition'][string];

/** A column narrower than that cannot be read: the rows are listed instead. */
const NARROWEST = 34;
const PAD = 4;
/** A row is cut into strips of about that height. */
const STRIP = MAX_HEIGHT / 4;
/** Rows that say how wide the columns are to be. */
const MEASURED = 200;
const STYLE = { ...BODY, size: 8.5 };
const RULE = 0.6;

/** The boxes of a table: a grid whose head is repeated on each page, or a list where there is no room for one. */
export function* tableBoxes(table: Table, frame: Frame): Generator<Box> {
  const fragments = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment]));
  const columns = table.data.view.columns.flatMap((id) => table.data.definition[id] ?? []);
  const records = Object.values(table.data.records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const grid = new Grid(columns, fragments, {
    ...frame,
    style: { ...frame.style, size: Math.min(STYLE.size, frame.style.size) },
  });
  if (columns.length === 0) return;
  if (table.data.view.type === 'cards' || columns.length * NARROWEST > frame.width) yield* grid.listed(records);
  else yield* grid.rows(records, table.data.view.hideHeader === true);
}

type Values = Table['data']['records'][string]['values'];
type Row = readonly (readonly Box[])[];

class Grid {
  constructor(
    private readonly columns: readonly Column[],
    private readonly fragments: ReadonlyMap<string | undefined, Fragment>,
    private readonly frame: Frame,
  ) {}

  /** The rows one below the other. */
  *rows(records: readonly { values: Values }[], hideHead: boolean): Generator<Box> {
    const widths = this.widths(records);
    const title = (column: Column, width: number): Box[] => [...this.titleBoxes(column, width)];
    const head = hideHead
      ? []
      : [
          ...this.strips(
            this.columns.map((column, i) => title(column, (widths[i] ?? 0) - 2 * PAD)),
            widths,
            true,
          ),
        ];
    const [first] = head;
    const repeated = head.length === 1 && first && first.height < STRIP ? { ...first, keep: false } : undefined;
    for (const box of head) yield { ...box, keep: true };
    for (const { values } of records) {
      const row = this.columns.map((column, i) => [
        ...this.cellBoxes(values[column.id], column, (widths[i] ?? 0) - 2 * PAD),
      ]);
      for (const box of this.strips(row, widths, false)) yield repeated ? { ...box, head: repeated } : box;
    }
  }

  /** Each row as a list of its cells. */
  *listed(records: readonly { values: Values }[]): Generator<Box> {
    const { width } = this.frame;
    for (const { values } of records) {
      yield {
        height: 7,
        draw: (sheet, x, y) => {
          sheet.rect(x, y + 3, width, RULE, INK.line);
        },
      };
      for (const column of this.columns) {
        const value = values[column.id];
        if (value === undefined) continue;
        if (column.title !== '') yield* [...this.titleBoxes(column, width)].map((box) => ({ ...box, keep: true }));
        yield* this.cellBoxes(value, column, width);
      }
    }
  }

  private titleBoxes(column: Column, width: number): Iterable<Box> {
    const style = { ...this.frame.style, bold: true };
    const fragment = column.header === undefined ? undefined : this.fragments.get(column.header);
    if (fragment) return this.frame.boxes(fragment.nodes, { ...this.frame, width, style });
    return textBoxes([{ text: column.title, style }], { ...this.frame, width }, alignOf(column));
  }

  private *cellBoxes(value: unknown, column: Column, width: number): Generator<Box> {
    const frame = { ...this.frame, width };
    if (column.type !== 'text') {
      yield* textBoxes([{ text: plainValue(value, column), style: frame.style }], frame);
      return;
    }
    for (const block of this.fragments.get(String(value))?.nodes ?? []) {
      if (block.type === 'paragraph') yield* textBoxes(runsOf(block.nodes, frame), frame, alignOf(column));
      else yield* frame.boxes([block], frame);
    }
  }

  /** One row, cut where it is too high for one box. */
  private *strips(row: Row, widths: readonly number[], isHead: boolean): Generator<Box> {
    const next = row.map(() => 0);
    let isFirst = true;
    while (isFirst || row.some((cell, i) => (next[i] ?? 0) < cell.length)) {
      const cells = row.map((cell, i) => {
        const start = next[i] ?? 0;
        let [end, height] = [start, 0];
        for (let box = cell[end]; box && (end === start || height + box.height <= STRIP); box = cell[end]) {
          height += box.height;
          end += 1;
        }
        next[i] = end;
        return { boxes: cell.slice(start, end), height };
      });
      const isLast = row.every((cell, i) => (next[i] ?? 0) >= cell.length);
      yield this.strip(cells, widths, { isHead, isFirst, isLast });
      isFirst = false;
    }
  }

  private strip(
    cells: readonly { boxes: readonly Box[]; height: number }[],
    widths: readonly number[],
    { isHead, isFirst, isLast }: Record<'isHead' | 'isFirst' | 'isLast', boolean>,
  ): Box {
    const [above, below] = [isFirst ? PAD : 0, isLast ? PAD : 0];
    const height = Math.max(8, ...cells.map((cell) => cell.height)) + above + below;
    const total = widths.reduce((sum, width) => sum + width, 0);
    const draw = (sheet: Sheet, x: number, y: number): void => {
      if (isHead) sheet.rect(x, y, total, height, INK.head);
      if (isFirst) sheet.rect(x, y, total, RULE, INK.line);
      let left = x;
      for (const [i, { boxes }] of cells.entries()) {
        sheet.rect(left, y, RULE, height, INK.line);
        let top = y + above;
        for (const box of boxes) {
          box.draw(sheet, left + PAD, top);
          top += box.height;
        }
        left += widths[i] ?? 0;
      }
      sheet.rect(left, y, RULE, height, INK.line);
      sheet.rect(x, y + height, total, RULE, INK.line);
    };
    return { height, draw };
  }

  /** As wide as what stands in them, if there is room; else they share it by what stands in them. */
  private widths(records: readonly { values: Values }[]): number[] {
    const { width, scene } = this.frame;
    const measured = this.columns.map((column) => {
      const style = { ...this.frame.style, bold: true };
      const texts: Run[] = [{ text: `${column.title}\n`, style }];
      for (const { values } of records.slice(0, MEASURED)) {
        const value = values[column.id];
        const blocks = column.type === 'text' ? (this.fragments.get(String(value))?.nodes ?? []) : [];
        texts.push(...cellRuns(blocks, this.frame), {
          text: `${column.type === 'text' ? '' : plainValue(value, column)}\n`,
          style,
        });
      }
      let natural = NARROWEST;
      for (const line of linesOf(texts, { fonts: scene.fonts, width }))
        natural = Math.max(natural, line.width + 2 * PAD + 1);
      return natural;
    });
    const sum = measured.reduce((total, one) => total + one, 0);
    if (sum <= width) return measured;
    // what is narrow keeps its width, the others share the rest
    const fair = width / measured.length;
    const kept = measured.reduce((total, one) => total + Math.min(one, fair), 0);
    const wanting = measured.reduce((total, one) => total + Math.max(0, one - fair), 0);
    return measured.map((one) => Math.min(one, fair) + (Math.max(0, one - fair) / wanting) * (width - kept));
  }
}

function* cellRuns(blocks: readonly Block[], frame: Frame): Generator<Run> {
  // notes are numbered where they are printed, not where they are measured
  const scene = { ...frame.scene, note: () => 1 };
  for (const block of blocks) if (block.type === 'paragraph') yield* runsOf(block.nodes, { ...frame, scene });
}

function alignOf({ textAlignment }: Column): 'start' | 'center' | 'end' {
  return textAlignment === 'center' ? 'center' : textAlignment === 'right' ? 'end' : 'start';
}

/** A value that is no text, as it is read. */
function plainValue(value: unknown, column: Column): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? '☑' : '☐';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return '';
  const options: unknown = column['options'];
  const labels = new Map<string, string>();
  for (const option of (Array.isArray(options) ? options : []) as ({ value?: unknown; label?: unknown } | null)[]) {
    if (typeof option?.value === 'string' && typeof option.label === 'string') labels.set(option.value, option.label);
  }
  return value.flatMap((one) => (typeof one === 'string' ? [labels.get(one) ?? one] : [])).join(', ');
}
