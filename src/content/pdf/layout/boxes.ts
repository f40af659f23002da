import type { Line } from './lines.js';
import { PAGE, type Sheet, TEXT_HEIGHT } from './sheet.js';

/** A piece of content that stands on one page: it is never cut. Lengths are in points. */
export interface Box {
  readonly height: number;
  draw(sheet: Sheet, x: number, y: number): void;
  /** A distance: left out at the top of a page. */
  readonly isGap?: boolean;
  /** It stands on the page of what follows it. */
  readonly keep?: boolean;
  /** How far below its top the letters of its first line stand. */
  readonly base?: number;
  /** What is printed above it when it comes to stand at the top of a page: the head of its table. */
  readonly head?: Box;
}

/** A box is never higher than that. */
export const MAX_HEIGHT = TEXT_HEIGHT;

/** A distance. */
export function gap(height: number, keep = false): Box {
  return { height, isGap: true, keep, draw: () => undefined };
}

/** A line of text in a space of `width`. */
export function lineBox(line: Line, width: number, align: 'start' | 'center' | 'end' = 'start'): Box {
  const free = Math.max(0, width - line.width);
  const shift = align === 'start' ? 0 : align === 'center' ? free / 2 : free;
  return {
    height: line.height,
    base: line.base,
    draw: (sheet, x, y) => {
      for (const item of line.items) sheet.item(item, x + shift, y + line.base);
    },
  };
}

/** What is drawn behind boxes: in each, so that it goes on from page to page. */
export type Paint = (sheet: Sheet, x: number, y: number, height: number) => void;

/** The boxes, `by` points further right, each on what `paint` draws. */
export function* inset(boxes: Iterable<Box>, by: number, paint?: Paint): Generator<Box> {
  for (const box of boxes) yield insetBox(box, by, paint);
}

function insetBox(box: Box, by: number, paint: Paint | undefined): Box {
  return {
    ...box,
    ...(box.head && { head: insetBox(box.head, by, paint) }),
    draw: (sheet, x, y) => {
      // a hair more: two areas that meet exactly are shown with a line between them
      paint?.(sheet, x, y, box.height + 0.5);
      box.draw(sheet, x + by, y);
    },
  };
}

/** The boxes, with `mark` drawn beside the first that is no distance. */
export function* marked(boxes: Iterable<Box>, mark: (sheet: Sheet, x: number, base: number) => void): Generator<Box> {
  let isOpen = true;
  for (const box of boxes) {
    if (box.isGap === true || !isOpen) {
      yield box;
      continue;
    }
    isOpen = false;
    yield {
      ...box,
      draw: (sheet, x, y) => {
        mark(sheet, x, y + (box.base ?? 11));
        box.draw(sheet, x, y);
      },
    };
  }
}

/** The boxes, and before the first of them a place that can be led to. */
export function* placed(boxes: Iterable<Box>, name: string): Generator<Box> {
  let isOpen = true;
  for (const box of boxes) {
    if (!isOpen || box.isGap === true) {
      yield box;
      continue;
    }
    isOpen = false;
    yield {
      ...box,
      draw: (sheet, x, y) => {
        sheet.place(name, y);
        box.draw(sheet, x, y);
      },
    };
  }
}

/** Puts boxes onto pages, one below the other. */
export class Pager {
  private y: number = PAGE.top;

  constructor(private readonly sheet: Sheet) {}

  /** Begins a new page. */
  newPage(): void {
    this.sheet.newPage();
    this.y = PAGE.top;
  }

  /** Puts `boxes` onto this page and those that follow. */
  put(boxes: Iterable<Box>): void {
    let held: Box[] = [];
    let height = 0;
    for (const box of boxes) {
      held.push(box);
      height += box.height;
      if (box.keep === true && height < TEXT_HEIGHT / 2) continue;
      this.putTogether(held, height);
      held = [];
      height = 0;
    }
    this.putTogether(held, height);
  }

  private putTogether(boxes: readonly Box[], height: number): void {
    if (this.y + height > PAGE.top + TEXT_HEIGHT && !boxes.every(({ isGap }) => isGap === true)) this.turn(boxes[0]);
    for (const box of boxes) {
      if (box.isGap === true && this.y === PAGE.top) continue;
      if (this.y + box.height > PAGE.top + TEXT_HEIGHT) {
        if (box.isGap === true) continue;
        this.turn(box);
      }
      box.draw(this.sheet, PAGE.side, this.y);
      this.y += box.height;
    }
  }

  private turn(next: Box | undefined): void {
    if (this.y === PAGE.top) return;
    this.newPage();
    if (!next?.head) return;
    next.head.draw(this.sheet, PAGE.side, this.y);
    this.y += next.head.height;
  }
}
