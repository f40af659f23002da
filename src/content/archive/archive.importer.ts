import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BadRequestException, ConflictException, Injectable, PayloadTooLargeException } from '@nestjs/common';
import { MAX_BLOB } from '../../blobs/index.js';
import { Slots } from '../../common/slots.js';
import { Config } from '../../config/index.js';
import { DocumentsService, MAX_FILES, MAX_PAGES, RevisionsService, type TreeEditor } from '../../revisions/index.js';
import { type Space, SpacesService } from '../../spaces/index.js';
import { ContentWriter } from '../content.writer.js';
import { ConversionError } from '../conversion/conversion-error.js';
import { Converter } from '../conversion/converter.js';
import { FilesService } from '../files/index.js';
import { Indexer } from '../indexer.js';
import type { BookSource } from '../import/book-source.js';
import type { FolderRun } from '../import/folder-run.js';
import { FolderStore } from '../import/folder-store.js';
import { readFolder } from '../import/folder.reader.js';
import type { Found, FoundPage } from '../import/found.js';
import { checkImportLock, type Imported } from '../import/imported.js';
import { insertFound } from '../import/insert-found.js';
import type { SummaryEntry } from '../import/summary.js';
import { decodeUtf8 } from '../import/utf8.js';
import { ZipError, ZipSource } from '../import/zip-source.js';
import { MANIFEST, SUMMARY } from './layout.js';
import { fingerprint, type Manifest, readManifest } from './manifest.js';
import { readByManifest } from './manifest.reader.js';

/** How a folder is imported. */
export interface FolderOptions {
  source: BookSource;
  /** Who is named as the author of the revision; `null`: nobody. */
  author: string | null;
  /** Is told how many of how many texts are read. */
  progress?: (done: number, total: number) => void;
}

/** What the import of a folder came to. */
export interface FolderResult extends Imported {
  /** How many pages were added, groups and links included. */
  pages: number;
  /** Files that are named and not there: their pages are empty. */
  missing: string[];
}

/** What is imported, as messages call it. */
type What = 'archive' | 'folder';
type Addition = FolderOptions & Pick<FolderRun, 'outline'> & { mayMerge: boolean; what: What };

/** Archives that are read at a time in a process; the others wait on its disk. */
const AT_ONCE = 2;
/** What unpacked archives may hold for each byte that they have packed. */
const MAX_GROWTH = 20;

/** Imports folders and archives of Markdown, those that were exported with their ids (decision B.13). */
@Injectable()
export class ArchiveImporter {
  private readonly slots = new Slots(AT_ONCE);

  constructor(
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly documents: DocumentsService,
    private readonly files: FilesService,
    private readonly writer: ContentWriter,
    private readonly indexer: Indexer,
    private readonly converter: Converter,
    private readonly config: Config,
  ) {}

  /**
   * Adds the archive whose bytes come out of `body` behind the pages of `space`, as one revision.
   *
   * @throws ForbiddenException when the space is locked and the author may not merge, PayloadTooLargeException over
   * `ARCHIVE_MAX_BYTES`, BadRequestException for an archive that cannot be read. Nothing is changed then.
   */
  async import(
    space: Space,
    body: Readable,
    { author, mayMerge }: { author: string; mayMerge: boolean },
  ): Promise<Imported> {
    checkImportLock(space, mayMerge);
    const folder = await mkdtemp(join(tmpdir(), 'colophon-archive-'));
    try {
      const file = join(folder, 'archive.zip');
      await pipeline(limited(body, this.config.ARCHIVE_MAX_BYTES), createWriteStream(file));
      return await this.slots.run(() => this.addArchive(space, file, { author, mayMerge }));
    } catch (error) {
      if (error instanceof ZipError) throw cannotImport('archive', error.message);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async addArchive(
    space: Space,
    file: string,
    { author, mayMerge }: { author: string; mayMerge: boolean },
  ): Promise<Imported> {
    const source = await ZipSource.openFile(file, {
      entries: MAX_PAGES + MAX_FILES,
      file: MAX_BLOB,
      total: MAX_GROWTH * this.config.ARCHIVE_MAX_BYTES,
    });
    const outline = (summary: string): Promise<SummaryEntry[]> => this.outline(summary);
    return this.add(space, { source, author, outline, mayMerge, what: 'archive' }).finally(() => {
      source.close();
    });
  }

  /**
   * Adds the pages of a folder behind the present ones, as one revision, and waits until search knows them. The titles
   * and the nesting of SUMMARY.md win over those of the files; its parts become groups.
   *
   * @throws NotFoundException when there is no such space, BadRequestException for a folder that cannot be read.
   */
  async importFolder(spaceId: string, options: FolderOptions): Promise<FolderResult> {
    const space = await this.spaces.get(spaceId);
    const { readSummary } = await import('../import/summary.js');
    const outline = (summary: string): Promise<SummaryEntry[]> => Promise.resolve(readSummary(summary));
    const result = await this.add(space, { ...options, outline, mayMerge: true, what: 'folder' });
    await this.indexer.catchUp(spaceId);
    return result;
  }

  /** Reads a table of contents of unknown origin beside the service. */
  private async outline(summary: string): Promise<SummaryEntry[]> {
    try {
      return await this.converter.run('summary', summary);
    } catch (error) {
      if (error instanceof ConversionError) throw cannotImport('archive', `${SUMMARY} ${error.message}`);
      throw error;
    }
  }

  private async add(
    space: Space,
    { source, author, outline, progress, mayMerge, what }: Addition,
  ): Promise<FolderResult> {
    const { documents, files } = this;
    const store = new FolderStore({ documents, files }, space.organization, MAX_FILES);
    const run: FolderRun = {
      maxPages: MAX_PAGES,
      strict: true,
      outline,
      progress,
      storeTexts: (texts) => store.texts(texts),
      storeFiles: (names, load) => store.files(names, load),
      refuse: (why) => cannotImport(what, why),
    };
    const manifest = await manifestOf(run, source);
    const found = manifest
      ? await readByManifest(run, source, { manifest, taken: await this.taken(space, manifest) })
      : await readFolder(run, source);
    const { _id: blank } = await this.documents.put(space.organization, '');
    const insert = async (editor: TreeEditor, present: Space): Promise<void> => {
      checkImportLock(present, mayMerge);
      for (const { id } of found.pages) {
        if (await editor.findPage(id))
          throw new ConflictException('The same archive was imported meanwhile; try again');
      }
      await insertFound(editor, found, blank);
    };
    const { revision } = await this.writer.write(space._id, author, insert, 'content.import');
    return { revision: revision._id, ...counts(found) };
  }

  /** Those ids of `manifest` that are in use in the space. */
  private async taken(space: Space, { pages, files, reusableContents }: Manifest): Promise<Set<string>> {
    const tree = this.revisions.tree(await this.revisions.get(space.revision));
    const own = new Set([...pages, ...files, ...reusableContents].map(({ id }) => id));
    const taken = [
      ...(await tree.findPages(pages.map(({ id }) => id))).keys(),
      ...(await tree.findFiles(files.map(({ id }) => id))).keys(),
      ...(await tree.reusableContents()).map(({ id }) => id),
    ];
    return new Set(taken.filter((id) => own.has(id)));
  }
}

/** The manifest of an archive that was exported, unless its table of contents was edited since: then that one counts. */
async function manifestOf(run: FolderRun, source: BookSource): Promise<Manifest | undefined> {
  const bytes = await source.read(MANIFEST);
  const summary = bytes && (await source.read(SUMMARY));
  if (!summary) return undefined;
  const text = decodeUtf8(bytes);
  if (text === undefined) throw run.refuse(`${MANIFEST} is not a text in UTF-8`);
  const manifest = readManifest(MANIFEST, text);
  return manifest.summary === fingerprint(summary) ? manifest : undefined;
}

function counts({ pages, missing = [], imported, total }: Found): Omit<FolderResult, 'revision'> {
  return { pages: countPages(pages), missing, imported, total };
}

function countPages(pages: readonly FoundPage[]): number {
  return pages.reduce((sum, { children }) => sum + 1 + countPages(children), 0);
}

function cannotImport(what: What, why: string): BadRequestException {
  return new BadRequestException(`The ${what} cannot be imported: ${why}`);
}

/** The bytes of `body`, as long as they are not too many. */
async function* limited(body: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > limit) throw new PayloadTooLargeException(`The archive is larger than ${String(limit)} bytes`);
    yield bytes;
  }
}
