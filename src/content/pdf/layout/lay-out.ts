import { plainText } from '../../../revisions/index.js';
import { blockBoxes } from './blocks.js';
import { type Box, gap, inset, marked, Pager, placed } from './boxes.js';
import { type Chapter, placeName, readChapter, type Shelf } from './chapter.js';
import { Contents, titleOf } from './contents.js';
import { textBoxes } from './flow.js';
import { Fonts } from './fonts.js';
import type { ChapterPlan, Desk, Plan } from './job.js';
import { Pictures } from './pictures.js';
import type { Frame } from './scene.js';
import { type HeldPage, type OutlineItem, PAGE, Sheet, TEXT_WIDTH } from './sheet.js';
import { BODY, INK, SMALL, type Style } from './style.js';

/** Titles of chapters, by their depth. */
const TITLES = [23, 20, 18, 17];
const OPTIONAL = { ...BODY, size: 11, color: INK.soft };

/** What a PDF has become. */
export interface LaidOut {
  /** Printed pages. */
  printed: number;
}

/** Lays out `plan` and hands the PDF to `desk` as it grows, a chapter at a time. @throws TooLargeError */
export async function layOut(plan: Plan, desk: Desk): Promise<LaidOut> {
  return new Book(plan, desk).print();
}

class Book {
  private readonly fonts = new Fonts();
  private readonly sheet: Sheet;
  private readonly pager: Pager;
  private readonly contents: Contents;
  private readonly shelf: Shelf;
  private readonly numbers = new Map<string, number>();
  private readonly firstPages = new Map<string, HeldPage>();

  constructor(
    private readonly plan: Plan,
    private readonly desk: Desk,
  ) {
    this.sheet = new Sheet(this.fonts, { title: plan.title, date: new Date(plan.date) });
    this.pager = new Pager(this.sheet);
    this.contents = new Contents(this.sheet, this.fonts);
    const pictures = new Pictures(this.sheet);
    this.shelf = { desk, fonts: this.fonts, pictures, printed: printedIn(plan.chapters), included: new Map() };
  }

  async print(): Promise<LaidOut> {
    if (this.plan.front) {
      this.titlePage();
      this.contents.reserve(this.plan.chapters, this.shelf.printed);
    }
    await this.chapters(this.plan.chapters, undefined, 0);
    if (this.sheet.number === 0) this.pager.newPage();
    this.contents.write(this.numbers);
    this.settlePlaces();
    this.sheet.end();
    await this.handOver();
    return { printed: this.sheet.number };
  }

  private titlePage(): void {
    this.sheet.newPage(false);
    this.sheet.place('', 0);
    const scene = plainScene(this.fonts);
    const width = TEXT_WIDTH;
    let y = PAGE.height * 0.3;
    const put = (text: string, style: Style): void => {
      for (const box of textBoxes([{ text, style }], { scene, width })) {
        if (y + box.height > PAGE.height - PAGE.bottom) return;
        box.draw(this.sheet, PAGE.side, y);
        y += box.height;
      }
    };
    put(this.plan.title, { ...BODY, size: 30, bold: true });
    y += 18;
    put(dateOf(this.plan.date), OPTIONAL);
    put(`Revision ${this.plan.revision}`, SMALL);
  }

  private async chapters(
    chapters: readonly ChapterPlan[],
    above: OutlineItem | undefined,
    depth: number,
  ): Promise<void> {
    // recursion: trees of pages are at most 32 levels deep
    for (const plan of chapters) {
      const item = plan.isLink ? this.linkItem(plan, above) : await this.chapter(plan, above, depth);
      await this.chapters(plan.chapters, item, depth + 1);
    }
  }

  /** A link has no page of its own: its entry leads to its line in the contents. */
  private linkItem(plan: ChapterPlan, above: OutlineItem | undefined): OutlineItem | undefined {
    const page = this.contents.find(plan.id);
    if (!page) return above;
    let item = above;
    this.sheet.on(page, () => {
      item = this.sheet.outline(plan.title, above);
    });
    return item;
  }

  private async chapter(plan: ChapterPlan, above: OutlineItem | undefined, depth: number): Promise<OutlineItem> {
    const chapter = await readChapter(plan.id, this.shelf);
    this.pager.newPage();
    this.numbers.set(plan.id, this.sheet.number);
    this.firstPages.set(plan.id, this.sheet.page);
    const item = this.sheet.outline(plan.title, above);
    this.pager.put(this.chapterBoxes(plan, chapter, depth));
    await this.handOver();
    return item;
  }

  private *chapterBoxes(plan: ChapterPlan, chapter: Chapter, depth: number): Generator<Box> {
    const { scene, blocks, notes } = chapter;
    const frame: Frame = { scene, width: TEXT_WIDTH, style: BODY, lists: 0, inclusions: 0, boxes: blockBoxes };
    const size = TITLES[Math.min(depth, TITLES.length - 1)] ?? BODY.size;
    const title = textBoxes([{ text: titleOf(plan, this.fonts), style: { ...BODY, size, bold: true } }], frame);
    yield* placed(title, placeName(plan.id));
    if (plan.description !== undefined) {
      yield gap(3);
      yield* textBoxes([{ text: plan.description, style: OPTIONAL }], frame);
    }
    yield gap(14);
    // many texts begin with their title again
    const [first] = blocks;
    const isTitled = first?.type === 'heading-1' || first?.type === 'heading-2';
    const isSame = isTitled && plainText(first.nodes).trim() === plan.title.trim();
    yield* blockBoxes(isSame ? blocks.slice(1) : blocks, frame);
    // a note may have notes: they come behind it
    for (let index = 0; index < notes.length; index += 1) {
      if (index === 0) yield gap(16);
      const body = (notes[index] ?? []).flatMap(({ nodes }) => nodes);
      const number = String(index + 1);
      const style = SMALL;
      const boxes = inset(blockBoxes(body, { ...frame, style, width: TEXT_WIDTH - 16 }), 16);
      yield* marked(boxes, (sheet, x, base) => {
        sheet.print(number, style, () => ({ x, y: base }));
      });
      yield gap(2);
    }
  }

  /** Links to anchors that are not there lead to the page that should have them. */
  private settlePlaces(): void {
    for (const name of this.sheet.missingPlaces()) {
      const page = this.firstPages.get(name.split('#', 1)[0] ?? '');
      if (!page) continue;
      this.sheet.on(page, () => {
        this.sheet.place(name, 0);
      });
    }
  }

  private async handOver(): Promise<void> {
    const bytes = this.sheet.taken();
    if (bytes) await this.desk.write(bytes);
  }
}

function printedIn(chapters: readonly ChapterPlan[]): Set<string> {
  const ids = new Set<string>();
  const add = (plans: readonly ChapterPlan[]): void => {
    for (const plan of plans) {
      if (!plan.isLink) ids.add(plan.id);
      add(plan.chapters);
    }
  };
  add(chapters);
  return ids;
}

/** What text without any nodes is printed with. */
function plainScene(fonts: Fonts): Frame['scene'] {
  return {
    fonts,
    lead: () => ({}),
    picture: () => undefined,
    included: () => [],
    note: () => 0,
    placeOf: (anchor) => anchor,
  };
}

function dateOf(iso: string): string {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(iso));
}
