import { BadRequestException, Injectable } from '@nestjs/common';
import { OutboundError } from '../../outbound/index.js';
import {
  checkDocument,
  ContentError,
  DocumentError,
  type DocumentRecord,
  DocumentsService,
  type FileEntry,
  type Revision,
  RevisionsService,
  type TreeEditor,
} from '../../revisions/index.js';
import type { ChangeDto } from '../dto/change-content.dto.js';
import type { NewFileDto } from '../dto/insert-files.dto.js';
import type { DocumentDto } from '../dto/page-changes.dto.js';
import { FilesService } from '../files/files.service.js';
import { LinkKeeper } from '../links/index.js';
import { applyChange } from './apply-change.js';
import { BatchRefs, checkRefs, type GivenText } from './batch-refs.js';
import type { Ground, ReadyChange } from './ready-change.js';
import { note, type Touched } from './touched.js';

/** A batch that can be applied, as often as a lost race makes it necessary. */
export interface Batch {
  changes: ReadyChange[];
  /** Names of its pages within the batch. */
  names: string[];
  /** The files that it inserts. */
  files: FileEntry[];
}

/** The content that a batch is applied to. */
export interface BatchBase {
  /** The revision that the editor was opened on. */
  revision: Revision;
  /** Id of the revision that `revert_page` goes back to when it names none; `null`: there is none. */
  before: string | null;
}

/** Time for fetching the files of one batch, ms. */
const FETCH_TIME = 60_000;

/** Batches of changes (decision B.5), whichever content they are for: primary content or that of a change request. */
@Injectable()
export class Batches {
  constructor(
    private readonly documents: DocumentsService,
    private readonly revisions: RevisionsService,
    private readonly files: FilesService,
    private readonly links: LinkKeeper,
  ) {}

  /**
   * Makes `changes` ready to be applied: gives new pages their ids, fetches files, stores bytes and texts. What is stored
   * is immutable and referred to by nothing: it needs no undoing.
   *
   * @throws BadRequestException naming the entry that cannot be used.
   */
  async prepare(organization: string, changes: ChangeDto[]): Promise<Batch> {
    const refs = new BatchRefs();
    const ids = await this.nameAll(changes, refs);
    const given = await each(changes, givenText);
    const files = await this.store(organization, changes, refs);
    const texts = await this.storeTexts(organization, given, refs);
    const ready = changes.map((change, index): ReadyChange => {
      switch (change.operation) {
        case 'insert_page':
          return { operation: 'insert_page', change, page: ids[index] ?? '', text: texts[index] };
        case 'update_page':
          return { operation: 'update_page', change, text: texts[index] };
        case 'insert_files':
          return { operation: 'insert_files', files: files[index] ?? [] };
        case 'delete_page':
          return { operation: 'delete_page', change };
        case 'revert_page':
          return { operation: 'revert_page', change };
      }
    });
    return { changes: ready, names: [...refs.pageNames()], files: files.flat() };
  }

  /**
   * Applies `batch` in order; answers what became of each page that it touched, in the order in which they were first
   * touched.
   *
   * @throws BadRequestException naming the entry that cannot be applied. The editor is to be dropped then.
   */
  async apply(batch: Batch, editor: TreeEditor, { revision, before }: BatchBase): Promise<Touched[]> {
    const present = this.revisions.tree(revision);
    for (const name of batch.names) {
      if (await present.findPageByPath(name)) {
        const index = batch.changes.findIndex((one) => one.operation === 'insert_page' && one.change.ref === name);
        throw new BadRequestException(`changes.${index}: ref "${name}" is the path of a page: choose another name`);
      }
    }
    const ground: Ground = {
      editor,
      space: revision.space,
      earlier: async (id = before ?? undefined) => {
        if (id === undefined) throw new ContentError('missing', 'There is no earlier revision', 'revision');
        const earlier = await this.revisions.find(id);
        if (earlier?.space !== revision.space) {
          throw new ContentError('missing', `There is no revision ${id} of this space`, 'revision');
        }
        return this.revisions.tree(earlier);
      },
      meant: (tree, pages) => this.links.meant(tree, pages),
    };
    const touched = new Map<string, Touched>();
    await each(batch.changes, async (ready) => {
      const one = await applyChange(ground, ready);
      if (one) note(touched, one);
    });
    return [...touched.values()];
  }

  /** Gives each new page its id, in the place of its entry. */
  private nameAll(changes: ChangeDto[], refs: BatchRefs): Promise<(string | undefined)[]> {
    const seen = new Set<string>();
    return each(changes, (change) => {
      checkRefs(change, seen);
      return change.operation === 'insert_page' ? refs.page(change.ref) : undefined;
    });
  }

  /** Stores the files of each entry. */
  private async store(organization: string, changes: ChangeDto[], refs: BatchRefs): Promise<FileEntry[][]> {
    const until = Date.now() + FETCH_TIME;
    await each(changes, checkFiles);
    return each(changes, async (change) => {
      const stored: FileEntry[] = [];
      if (change.operation !== 'insert_files') return stored;
      for (const [index, file] of change.files.entries()) {
        if (Date.now() > until)
          throw new ContentError('limit', 'Fetching the files takes too long: send fewer', 'files');
        const entry = await this.storeOne(organization, file, index);
        refs.file(file.ref, entry.id);
        stored.push(entry);
      }
      return stored;
    });
  }

  private async storeOne(organization: string, { name, url, base64, contentType }: NewFileDto, index: number) {
    try {
      if (url !== undefined) return await this.files.fetch(organization, { name, url });
      const bytes = Buffer.from(base64 ?? '', 'base64');
      return await this.files.add(organization, { name, bytes, ...(contentType !== undefined && { contentType }) });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new ContentError('invalid', `files.${index}.url: ${error.message}`, 'files');
    }
  }

  /** Stores the texts of the entries that give one, in the places of their entries. */
  private async storeTexts(
    organization: string,
    given: (GivenText | undefined)[],
    refs: BatchRefs,
  ): Promise<(DocumentRecord | undefined)[]> {
    const spelled = await each(given, async (text) => text && refs.spell(text));
    const places = spelled.flatMap((text, index) => (text === undefined ? [] : [{ text, index }]));
    try {
      const texts = places.map(({ text }) => text);
      const records = await this.documents.putMany(organization, texts);
      const byPlace = new Map(records.map((record, at) => [places[at]?.index, record]));
      return given.map((_, index) => byPlace.get(index));
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      throw refusal(error, places[error.entry ?? 0]?.index ?? 0);
    }
  }
}

/** The text that `change` gives its page. @throws ContentError or DocumentError for one given twice, or no tree of nodes. */
function givenText(change: ChangeDto): GivenText | undefined {
  const given: DocumentDto | undefined = 'document' in change ? change.document : undefined;
  if (given === undefined) return undefined;
  const { markdown, document } = given;
  if (markdown !== undefined && document !== undefined) {
    throw new ContentError('invalid', 'document takes either markdown or document, not both', 'document');
  }
  return document === undefined ? { markdown: markdown ?? '' } : { document: checkDocument(document) };
}

/** @throws ContentError for a file that says not, or twice, where its bytes are. */
function checkFiles(change: ChangeDto): void {
  const files = change.operation === 'insert_files' ? change.files : [];
  for (const [index, { url, base64, contentType }] of files.entries()) {
    if ((url === undefined) === (base64 === undefined)) {
      throw new ContentError('invalid', `files.${index}: give either url or base64`, 'files');
    }
    if (base64 !== undefined && contentType === undefined) {
      throw new ContentError('invalid', `files.${index}: contentType is required with base64`, 'files');
    }
  }
}

/** Does `work` for each entry in turn; what the content rules refuse is told with the place of the entry. */
async function each<T, R>(entries: readonly T[], work: (entry: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      results.push(await work(entry));
    } catch (error) {
      if (!(error instanceof ContentError || error instanceof DocumentError)) throw error;
      throw refusal(error, index);
    }
  }
  return results;
}

function refusal(error: ContentError | DocumentError, index: number): BadRequestException {
  return new BadRequestException(`changes.${index}: ${error.message}`);
}
