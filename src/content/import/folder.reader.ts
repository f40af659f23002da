import { posix } from 'node:path';
import { newId } from '../../common/ids.js';
import { ContentError, type DocumentRecord } from '../../revisions/index.js';
import type { BookSource } from './book-source.js';
import { FolderNames } from './folder-names.js';
import { folderOutline, isMarkdownFile } from './folder-outline.js';
import type { FolderRun } from './folder-run.js';
import { countTexts, type Found, type FoundPage, type FoundTarget } from './found.js';
import type { SummaryEntry } from './summary.js';
import { decodeUtf8 } from './utf8.js';

const SUMMARY = 'SUMMARY.md';
/** Texts that are in memory at once. */
const BATCH = 64;
/** Longest name of a file of a space, in characters. */
const MAX_NAME = 256;

/** The texts of a folder, by file. */
interface Texts {
  stored: Map<string, DocumentRecord>;
  /** Files that are named and not there. */
  missing: string[];
  /** Why the first of those that cannot be read cannot be. */
  refusal?: string;
}

/**
 * Reads a folder of Markdown: by its SUMMARY.md, else its folders are the tree. Texts stay byte for byte; what their
 * addresses mean, pages and files of the folder, is kept beside them.
 *
 * @throws BadRequestException when it cannot be read as a whole; in a strict run, when a part of it cannot.
 */
export async function readFolder(run: FolderRun, source: BookSource): Promise<Found> {
  const names = await source.list();
  const { entries, titled } = await outlineOf(run, source, names);
  const wanted = firstEntries(entries, run.maxPages);
  const files = [...new Set(filesOf(wanted))];
  if (wanted.length === 0 || (files.length === 0 && !run.strict)) throw run.refuse('it holds no Markdown');
  const texts = await storeTexts(run, source, files);
  if (texts.stored.size === 0 && !run.strict) throw run.refuse(texts.refusal ?? 'it holds no Markdown');
  const resolver = new FolderNames(names);
  const stored = await run.storeFiles(attachedTo(texts, resolver), async (name) => {
    const bytes = await source.read(name);
    return bytes && { name: fileName(name), bytes };
  });
  const pageOf = new Map<string, string>();
  const pages = wanted.map(toFound);
  return {
    pages,
    files: [...stored.files.values()],
    missing: texts.missing,
    total: filesOf(wanted).length + stored.total,
    imported: countTexts(pages) + stored.files.size,
  };

  function toFound({ kind, title, file, url, children }: SummaryEntry): FoundPage {
    const id = newId();
    const text = file === undefined ? undefined : texts.stored.get(file);
    if (text && file !== undefined && !pageOf.has(file)) pageOf.set(file, id);
    return {
      id,
      kind: kind === 'page' ? 'document' : kind,
      ...(titled && { title }),
      fallback: title,
      ...(text && { text, source: file, target: (written: string) => targetOf(written, file ?? '') }),
      ...(url !== undefined && { url }),
      children: children.map(toFound),
    };
  }

  function targetOf(written: string, from: string): FoundTarget | undefined {
    const name = resolver.fileOf(written, from);
    if (name === undefined) return undefined;
    const [page, file] = [pageOf.get(name), stored.files.get(name)];
    return page !== undefined ? { page } : file && { file: file.id };
  }
}

/** The table of contents; `titled`: its titles win over those of the texts. */
async function outlineOf(
  run: FolderRun,
  source: BookSource,
  names: readonly string[],
): Promise<{ entries: SummaryEntry[]; titled: boolean }> {
  const bytes = await source.read(SUMMARY);
  const summary = bytes && decodeUtf8(bytes);
  if (bytes && summary === undefined && run.strict) throw run.refuse(`${SUMMARY} is not a text in UTF-8`);
  if (summary !== undefined) {
    const entries = await run.outline(summary);
    if (entries.length > 0) return { entries, titled: true };
    if (run.strict) throw run.refuse(`${SUMMARY} names no chapters`);
  }
  return { entries: folderOutline(names.filter((name) => name !== SUMMARY)), titled: false };
}

async function storeTexts(run: FolderRun, source: BookSource, files: readonly string[]): Promise<Texts> {
  const texts: Texts = { stored: new Map(), missing: [] };
  for (let start = 0; start < files.length; start += BATCH) {
    const batch = await readBatch(run, source, { files: files.slice(start, start + BATCH), texts });
    const stored = await run.storeTexts(batch.map(([, text]) => text));
    for (const [index, [file]] of batch.entries()) {
      const record = stored[index];
      if (record instanceof ContentError) unreadable(run, texts, `${file}: ${record.message}`);
      else if (record) texts.stored.set(file, record);
    }
    run.progress?.(Math.min(start + BATCH, files.length), files.length);
  }
  return texts;
}

async function readBatch(
  run: FolderRun,
  source: BookSource,
  { files, texts }: { files: readonly string[]; texts: Texts },
): Promise<[file: string, text: string][]> {
  const read: [string, string][] = [];
  for (const file of files) {
    const bytes = await source.read(file);
    const text = bytes && decodeUtf8(bytes);
    if (text !== undefined) read.push([file, text]);
    else if (bytes) unreadable(run, texts, `${file} is not a text in UTF-8`);
    else {
      texts.missing.push(file);
      texts.refusal ??= `${file} is not there`;
    }
  }
  return read;
}

function unreadable(run: FolderRun, texts: Texts, why: string): void {
  if (run.strict) throw run.refuse(why);
  texts.refusal ??= why;
}

/** The files that the texts show or lead to, and that are no pages. */
function attachedTo({ stored }: Texts, resolver: FolderNames): string[] {
  return [...stored].flatMap(([file, { links }]) =>
    links.flatMap(({ url }) => {
      const name = resolver.fileOf(url, file);
      return name === undefined || isMarkdownFile(name) ? [] : [name];
    }),
  );
}

/** A file is called what it is called in the folder, so that it is found there again. */
function fileName(name: string): string {
  return name.length <= MAX_NAME ? name : posix.basename(name).slice(-MAX_NAME).toWellFormed();
}

/** The first `room` of `entries`, counted in reading order. */
function firstEntries(entries: readonly SummaryEntry[], room: number): SummaryEntry[] {
  let left = room;
  const take = (list: readonly SummaryEntry[]): SummaryEntry[] => {
    const kept: SummaryEntry[] = [];
    for (const entry of list) {
      if (left === 0) break;
      left -= 1;
      kept.push({ ...entry, children: take(entry.children) });
    }
    return kept;
  };
  return take(entries);
}

function filesOf(entries: readonly SummaryEntry[]): string[] {
  return entries.flatMap(({ file, children }) => [...(file === undefined ? [] : [file]), ...filesOf(children)]);
}
