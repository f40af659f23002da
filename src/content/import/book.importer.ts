import { BadRequestException, Injectable } from '@nestjs/common';
import { type DocumentRecord, DocumentsService, type PageDraft, type TreeEditor } from '../../revisions/index.js';
import { SpacesService } from '../../spaces/index.js';
import { ContentWriter } from '../content.writer.js';
import { Indexer } from '../indexer.js';
import { fromFrontMatter, withoutEmpty } from '../page-metadata.js';
import { readSummary, type SummaryEntry } from './summary.js';

/** Where the files of a book are read from. */
export interface BookSource {
  /** The bytes of a file, or `undefined` when there is none of that name. */
  read(name: string): Promise<Buffer | undefined>;
  /** The names of all files, with `/` between the segments. */
  list(): Promise<string[]>;
}

/** How an import is done. */
export interface ImportOptions {
  source: BookSource;
  /** Who is named as the author of the revision; `null`: nobody. */
  author: string | null;
  /** Is told how many of how many pages are read. */
  progress?: (done: number, total: number) => void;
}

/** What an import came to. */
export interface ImportResult {
  revision: string;
  /** How many pages were added, groups and links included. */
  pages: number;
  /** Files that the table of contents names and the source does not have: their pages are empty. */
  missing: string[];
}

/** What is inserted: the entries, the stored texts by file, and an empty text for chapters without one. */
interface Book {
  entries: SummaryEntry[];
  texts: Map<string, DocumentRecord>;
  blank: DocumentRecord;
}

const SUMMARY = 'SUMMARY.md';
/** Texts that are stored together. */
const BATCH = 64;

/** Adds a book, a folder of Markdown with a SUMMARY.md, to a space. */
@Injectable()
export class BookImporter {
  constructor(
    private readonly spaces: SpacesService,
    private readonly documents: DocumentsService,
    private readonly writer: ContentWriter,
    private readonly indexer: Indexer,
  ) {}

  /**
   * Adds the pages of a book behind the present ones, as one revision, and waits until search knows them.
   * The titles and the nesting of SUMMARY.md win over those of the files; its parts become groups.
   *
   * @throws NotFoundException when there is no such space, BadRequestException for a book that cannot be read.
   */
  async import(spaceId: string, { source, author, progress }: ImportOptions): Promise<ImportResult> {
    const { organization } = await this.spaces.get(spaceId);
    const entries = readSummary(await summaryOf(source));
    if (entries.length === 0) throw new BadRequestException(`${SUMMARY} names no chapters`);
    const texts = new TextReader(source, progress);
    const book: Book = {
      entries,
      texts: await this.store(organization, [...new Set(filesOf(entries))], texts),
      blank: await this.documents.put(organization, ''),
    };
    const { revision, result } = await this.writer.write(spaceId, author, (editor) => insertAll(editor, book, null));
    await this.indexer.catchUp(spaceId);
    return { revision: revision._id, pages: result, missing: texts.missing };
  }

  /** Reads and stores the texts of `files`; answers them by file, without those that are not there. */
  private async store(organization: string, files: string[], texts: TextReader): Promise<Map<string, DocumentRecord>> {
    const stored = new Map<string, DocumentRecord>();
    for (let start = 0; start < files.length; start += BATCH) {
      const batch = await texts.read(files.slice(start, start + BATCH), files.length);
      const records = await this.documents.putMany(organization, [...batch.values()]);
      [...batch.keys()].forEach((file, index) => {
        const record = records[index];
        if (record) stored.set(file, record);
      });
    }
    return stored;
  }
}

/** Reads texts out of a source, and remembers which are not there. */
class TextReader {
  readonly missing: string[] = [];
  private done = 0;

  constructor(
    private readonly source: BookSource,
    private readonly progress: ImportOptions['progress'],
  ) {}

  /** The texts of `files`, by file; `total` is how many there are in all. */
  async read(files: string[], total: number): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for (const file of files) {
      const bytes = await this.source.read(file);
      if (bytes) texts.set(file, decode(file, bytes));
      else this.missing.push(file);
      this.done += 1;
      this.progress?.(this.done, total);
    }
    return texts;
  }
}

async function summaryOf(source: BookSource): Promise<string> {
  const bytes = await source.read(SUMMARY);
  if (!bytes)
    throw new BadRequestException(`The folder has no ${SUMMARY}: it says which pages there are, and in which order`);
  return decode(SUMMARY, bytes);
}

/** The text of a file, whose every byte comes back when it is written again. */
function decode(file: string, bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // told below
  }
  throw new BadRequestException(`${file} is not a text in UTF-8`);
}

/** The files that `entries` name, in order. */
function filesOf(entries: SummaryEntry[]): string[] {
  return entries.flatMap(({ file, children }) => [...(file === undefined ? [] : [file]), ...filesOf(children)]);
}

/** Inserts `chapters` under `into`; answers how many pages that made. */
async function insertAll(editor: TreeEditor, { entries, texts, blank }: Book, into: string | null): Promise<number> {
  let made = 0;
  for (const entry of entries) {
    const { id } = await editor.insertPage(draftOf(entry, texts, blank), { into });
    made += 1 + (await insertAll(editor, { entries: entry.children, texts, blank }, id));
  }
  return made;
}

/** The page of an entry. Its title wins over that of the text; what else the front matter says holds. */
function draftOf(entry: SummaryEntry, texts: Map<string, DocumentRecord>, blank: DocumentRecord): PageDraft {
  const { kind, title, file, url } = entry;
  if (kind === 'group') return { kind, title };
  if (kind === 'link') return { kind, title, target: { kind: 'url', url: url ?? '' } };
  const text = (file === undefined ? undefined : texts.get(file)) ?? blank;
  const { title: _, ...metadata } = fromFrontMatter(text.frontMatter);
  return { ...withoutEmpty(metadata), kind: 'document', title, document: text._id };
}
