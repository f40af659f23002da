import { PAGE, type Sheet, TEXT_HEIGHT, TEXT_WIDTH, type HeldPage } from './sheet.js';
import { leadOf, placeName } from './chapter.js';
import type { Fonts } from './fonts.js';
import { emojiOf } from './inlines.js';
import type { ChapterPlan } from './job.js';
import { linesOf, type Line } from './lines.js';
import { BODY, INK } from './style.js';

/** A line of the table of contents; the last one of an entry has the number of its page. */
interface EntryLine {
  line: Line;
  indent: number;
  /** The page of the space whose number stands behind it. */
  page?: string;
}

const TITLE = { ...BODY, size: 18, bold: true };
const TITLE_HEIGHT = 40;
const INDENT = 13;
const DEEPEST = 8;
const CODE_POINTS = /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/i;

/** The table of contents: its pages come first, and are written last, when the numbers are known. */
export class Contents {
  private readonly pages: { held: HeldPage; lines: readonly EntryLine[] }[] = [];
  private readonly pageOf = new Map<string, HeldPage>();

  constructor(
    private readonly sheet: Sheet,
    private readonly fonts: Fonts,
  ) {}

  /** Keeps as many pages free as the table takes. */
  reserve(chapters: readonly ChapterPlan[], printed: ReadonlySet<string>): void {
    let lines: EntryLine[] = [];
    let height = TITLE_HEIGHT;
    const close = (): void => {
      this.sheet.newPage();
      const held = this.sheet.hold();
      this.pages.push({ held, lines });
      for (const { page } of lines) if (page !== undefined) this.pageOf.set(page, held);
      lines = [];
      height = 0;
    };
    for (const entry of entriesOf(chapters, printed, this.fonts, 0)) {
      if (height + entry.line.height > TEXT_HEIGHT) close();
      lines.push(entry);
      height += entry.line.height;
    }
    close();
  }

  /** The page of the table on which `page` has its line. */
  find(page: string): HeldPage | undefined {
    return this.pageOf.get(page);
  }

  /** Writes the table. @param numbers The number of the printed page on which each page begins. */
  write(numbers: ReadonlyMap<string, number>): void {
    for (const [index, { held, lines }] of this.pages.entries()) {
      this.sheet.release(held, () => {
        let y: number = PAGE.top;
        if (index === 0) {
          this.sheet.print('Contents', TITLE, () => ({ x: PAGE.side, y: PAGE.top + 16 }));
          y += TITLE_HEIGHT;
        }
        for (const { line, indent, page } of lines) {
          for (const item of line.items) this.sheet.item(item, PAGE.side + indent, y + line.base);
          const number = page === undefined ? undefined : numbers.get(page);
          if (page !== undefined && number !== undefined) {
            const base = y + line.base;
            const style = { ...BODY, color: INK.soft, goTo: placeName(page) };
            this.sheet.print(String(number), style, (width) => ({ x: PAGE.side + TEXT_WIDTH - width, y: base }));
          }
          y += line.height;
        }
      });
    }
  }
}

function* entriesOf(
  chapters: readonly ChapterPlan[],
  printed: ReadonlySet<string>,
  fonts: Fonts,
  depth: number,
): Generator<EntryLine> {
  for (const chapter of chapters) {
    const indent = Math.min(depth, DEEPEST) * INDENT;
    const lead = chapter.isLink
      ? leadOf(chapter.target, undefined, chapter.id, printed)
      : { goTo: placeName(chapter.id) };
    const { href, goTo } = lead;
    const isLed = href !== undefined || goTo !== undefined;
    const style = {
      ...{ ...BODY, size: depth === 0 ? 10.5 : BODY.size, bold: depth === 0 },
      ...{ color: isLed && chapter.isLink ? INK.link : INK.text },
      ...(goTo !== undefined ? { goTo } : href !== undefined && { href }),
    };
    const text = titleOf(chapter, fonts) + (chapter.isLink && href !== undefined ? ' ↗' : '');
    const lines = [...linesOf([{ text, style }], { fonts, width: TEXT_WIDTH - indent - 40 })];
    for (const [index, line] of lines.entries()) {
      yield { line, indent, ...(index === lines.length - 1 && { page: chapter.id }) };
    }
    yield* entriesOf(chapter.chapters, printed, fonts, depth + 1);
  }
}

/** The title of a page, with its emoji where the fonts have it. */
export function titleOf({ emoji, title }: Pick<ChapterPlan, 'emoji' | 'title'>, fonts: Fonts): string {
  if (emoji === undefined) return title;
  const shown = CODE_POINTS.test(emoji) ? emojiOf(emoji) : emoji;
  return fonts.canShow(shown) ? `${shown} ${title}` : title;
}
