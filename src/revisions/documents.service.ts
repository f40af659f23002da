import { setImmediate } from 'node:timers/promises';
import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { batchesOf } from '../common/batches-of.js';
import { deepFreeze } from '../common/deep-freeze.js';
import { Database } from '../database/index.js';
import { contentKey } from './chunk.js';
import { ContentError } from './content-error.js';
import { StoredDocument } from './document.schema.js';
import { amendImmutable, touchImmutable, writerOf } from './immutable.js';
import type { Outline, Section } from './outline.js';
import { OUTLINE_VERSION, readOutline } from './read-outline.js';
import { isStorableText } from './storable-text.js';

/** A stored text: its key, and what is known about it. The Markdown itself is read with `markdown`. */
export type DocumentRecord = Outline & { readonly _id: string };

/** A text as a plain record. */
type Stored = { [K in keyof StoredDocument]: StoredDocument[K] };

/** What need not be known of a text. */
const UNKNOWN = { title: undefined, description: undefined, frontMatter: undefined, anchors: undefined };
/** Memory for texts and for outlines, bytes each. */
const CACHE = 6 * 1024 * 1024;
/** Memory for sections without the rest of an outline, bytes: search reads those of every page that it shows. */
const SECTIONS_CACHE = 32 * 1024 * 1024;
/** Texts written or asked for in one query. */
const BATCH = 200;
/** Stored texts are well-formed; checking that again takes longer than reading them. */
const UNCHECKED = { enableUtf8Validation: false };
/** How long a stored text counts as certainly there, ms; far less than what a sweep leaves alone. */
const KNOWN_FOR = 30 * 60_000;
/** Texts that count so. */
const MAX_KNOWN = 5_000;

/** Markdown texts, immutable, each stored once an organization. */
@Injectable()
export class DocumentsService {
  private readonly texts = new LRUCache<string, string>({
    maxSize: CACHE,
    sizeCalculation: (text) => text.length * 2 + 100,
  });
  private readonly records = new LRUCache<string, DocumentRecord>({ maxSize: CACHE, sizeCalculation: weigh });
  private readonly sectionLists = new LRUCache<string, readonly Section[]>({
    maxSize: SECTIONS_CACHE,
    sizeCalculation: weighSections,
  });
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_FOR });

  private readonly write: (records: readonly Stored[]) => Promise<void>;
  private readonly outlineOf: (key: string) => Promise<DocumentRecord | null>;

  constructor(
    @InjectModel(StoredDocument.name) private readonly documents: Model<StoredDocument>,
    private readonly database: Database,
  ) {
    this.write = writerOf<Stored>(documents);
    this.outlineOf = database.gathered(async (keys) => new Map(await this.readOutlines(keys)));
  }

  /**
   * Stores `markdown`, as it is, and answers its key and outline.
   * @throws ContentError (`invalid`) for text that no database keeps as it is, (`limit`) over 2 MiB, (`complex`) for
   * Markdown that cannot be read in bounded time.
   */
  async put(organization: string, markdown: string): Promise<DocumentRecord> {
    const [record] = await this.putMany(organization, [markdown]);
    if (record === undefined) throw new Error('Nothing was stored');
    return record;
  }

  /**
   * Stores several texts in few round trips; answers their records in the same order.
   * @throws as `put`, with the place of the text that is refused as `entry`, storing none.
   */
  async putMany(organization: string, markdowns: readonly string[]): Promise<DocumentRecord[]> {
    const refused = markdowns.findIndex((markdown) => !isStorableText(markdown));
    if (refused !== -1) {
      throw new ContentError('invalid', 'Markdown cannot hold NUL or half a surrogate pair', 'document', refused);
    }
    const texts = new Map(markdowns.map((markdown) => [contentKey(organization, 'document', markdown), markdown]));
    const present = await this.outlines([...texts.keys()]);
    const made = new Map<string, DocumentRecord>();
    for (const [key, markdown] of texts) {
      if (present.has(key)) continue;
      if (made.size > 0) await setImmediate();
      const outline = await naming(markdowns.indexOf(markdown), () => readOutline(markdown));
      made.set(key, deepFreeze({ _id: key, ...outline }));
    }
    await this.store(organization, texts, { present, made });
    const records = new Map([...present, ...made]);
    return markdowns.flatMap((markdown) => records.get(contentKey(organization, 'document', markdown)) ?? []);
  }

  /** The Markdown stored under `key`. @throws NotFoundException when there is none. */
  async markdown(key: string): Promise<string> {
    const text = (await this.markdowns([key])).get(key);
    if (text === undefined) throw new NotFoundException('Document not found');
    return text;
  }

  /** The Markdown stored under each of `keys`, where there is any. */
  async markdowns(keys: readonly string[]): Promise<Map<string, string>> {
    return this.readThrough(this.texts, keys, async (missing) => {
      const found = await this.documents
        .find({ _id: { $in: missing } }, { markdown: 1 }, UNCHECKED)
        .lean<{ _id: string; markdown: string }[]>();
      return found.map(({ _id, markdown }) => [_id, markdown] as const);
    });
  }

  /**
   * What is known about the texts under `keys`, where there are any. Texts whose outlines an earlier version of the
   * service stored are read anew.
   */
  async outlines(keys: readonly string[]): Promise<Map<string, DocumentRecord>> {
    return this.readThrough(this.records, keys, async (missing) => {
      const [key] = missing;
      if (key === undefined || missing.length > 1) return this.readOutlines(missing);
      const record = await this.outlineOf(key);
      return record ? [[key, record]] : [];
    });
  }

  /** The sections of the texts under `keys`, where there are any: of the outlines what search reads. */
  async sections(keys: readonly string[]): Promise<Map<string, readonly Section[]>> {
    // of texts that were just written, search asks next
    const whole = keys.flatMap((key) => this.records.get(key) ?? []);
    const known = new Map(whole.map(({ _id, sections }) => [_id, sections]));
    const others = keys.filter((key) => !known.has(key));
    const read = await this.readThrough(this.sectionLists, others, async (missing) => {
      const found = await this.documents
        .find({ _id: { $in: missing } }, { sections: 1, outlineVersion: 1 }, UNCHECKED)
        .lean<Pick<StoredDocument, '_id' | 'sections' | 'outlineVersion'>[]>();
      const outdated = found.filter(({ outlineVersion }) => outlineVersion !== OUTLINE_VERSION);
      const anew = await this.outlines(outdated.map(({ _id }) => _id));
      return found.map(({ _id, sections }) => [_id, deepFreeze(anew.get(_id)?.sections ?? sections)] as const);
    });
    return new Map([...known, ...read]);
  }

  /** Those of `keys` under which nothing is stored; asks the database, whatever is in memory. */
  async missing(keys: readonly string[]): Promise<string[]> {
    const missing = new Set(keys);
    for (const batch of batchesOf(keys, BATCH)) {
      for (const { _id } of await this.documents.find({ _id: { $in: batch } }, { _id: 1 }).lean<{ _id: string }[]>())
        missing.delete(_id);
    }
    return [...missing];
  }

  private async readOutlines(keys: readonly string[]): Promise<(readonly [string, DocumentRecord])[]> {
    const projection = { markdown: 0, organization: 0, touchedAt: 0 };
    const found = await this.database.find(this.documents, { _id: { $in: [...keys] } }, { projection, ...UNCHECKED });
    const outdated = new Map<string, DocumentRecord>();
    const records = new Map<string, DocumentRecord>();
    for (const { outlineVersion, ...record } of found) {
      if (outlineVersion !== OUTLINE_VERSION) outdated.set(record._id, record);
      records.set(record._id, deepFreeze(record));
    }
    return outdated.size === 0 ? [...records] : [...records, ...(await this.readAnew(outdated))];
  }

  /** Reads texts again, and stores what is known about them now. */
  private async readAnew(outdated: ReadonlyMap<string, DocumentRecord>): Promise<Map<string, DocumentRecord>> {
    const read = new Map<string, DocumentRecord>();
    for (const [key, markdown] of await this.markdowns([...outdated.keys()])) {
      if (read.size > 0) await setImmediate();
      const outline = await readOutline(markdown).catch((error: unknown) => {
        // what was taken before is not refused now; it stays known as it was
        if (!(error instanceof ContentError)) throw error;
        return outdated.get(key);
      });
      if (outline) read.set(key, deepFreeze({ ...outline, _id: key }));
    }
    await amendImmutable(
      this.documents,
      [...read.values()].map((record) => ({ ...UNKNOWN, ...record, outlineVersion: OUTLINE_VERSION })),
    );
    return read;
  }

  private async store(
    organization: string,
    texts: ReadonlyMap<string, string>,
    { present, made }: Record<'present' | 'made', ReadonlyMap<string, DocumentRecord>>,
  ): Promise<void> {
    const touchedAt = new Date();
    const stored = (record: DocumentRecord): Stored => ({
      ...record,
      organization,
      markdown: texts.get(record._id) ?? '',
      outlineVersion: OUTLINE_VERSION,
      touchedAt,
    });
    await this.write([...made.values()].map(stored));
    const unsure = [...present.values()].filter(({ _id }) => !this.known.has(_id));
    await touchImmutable(this.documents, unsure.map(stored));
    for (const record of [...made.values(), ...unsure]) {
      this.known.set(record._id, true);
      this.records.set(record._id, record);
      this.texts.set(record._id, texts.get(record._id) ?? '');
    }
  }

  private async readThrough<T extends string | DocumentRecord | readonly Section[]>(
    cache: LRUCache<string, T>,
    keys: readonly string[],
    load: (missing: string[]) => Promise<(readonly [string, T])[]>,
  ): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const key of new Set(keys)) {
      const value = cache.get(key);
      if (value === undefined) missing.push(key);
      else found.set(key, value);
    }
    for (const batch of batchesOf(missing, BATCH)) {
      for (const [key, value] of await load(batch)) {
        cache.set(key, value);
        found.set(key, value);
      }
    }
    return found;
  }
}

/** Does `work`; what is refused is told with its place among the texts. */
async function naming<T>(entry: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    throw new ContentError(error.reason, error.message, error.property, entry);
  }
}

/** About how many bytes a record takes in memory. */
function weigh({ sections, links, headings }: DocumentRecord): number {
  return weighSections(sections) + 300 * (links.length + headings.length) + 500;
}

function weighSections(sections: readonly Section[]): number {
  return sections.reduce((sum, { text }) => sum + bytesOf(text) + 300, 100);
}

/** Bytes that a string takes in memory: one for each character, or two where one of them needs it. */
function bytesOf(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}
