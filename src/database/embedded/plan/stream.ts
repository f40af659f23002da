import { decode, decodeTyped, Fields } from '../bson/raw.js';
import { EngineError, type Document } from '../errors.js';
import { asksForTypes, compileFilter } from '../query/match.js';
import { compileSort } from '../query/sort.js';
import type { Collection } from '../store/catalogue.js';
import type { Range } from '../store/environment.js';
import { RECORD_SIZE } from '../store/index-keys.js';
import type { Writer } from '../store/writer.js';
import type { Candidate, Overlay, Workspace } from '../store/workspace.js';
import type { KeyRange } from './bounds.js';
import { fieldsOf, topField } from './conditions.js';
import { planFor, type Plan, type Question } from './planner.js';

/** A document that a query has found. */
export type Found = Candidate;

/** A query's answer, to be read piece by piece; writes may happen between the pieces. */
export interface Stream {
  /** The next document, in the order asked for. */
  next(): Found | undefined;
  /** How that was found; absent where there is no collection to look into. */
  trace?(): Trace;
}

/** A query on one collection. */
export interface Query extends Question {
  skip?: number;
  limit?: number;
}

/** Whether the document with these bytes matches. */
export type Matcher = (bytes: Buffer) => boolean;

const FIRST_CHUNK = 32;
const LARGEST_CHUNK = 1024;
const NEXT_KEY = Buffer.from([0]);

/** Decides from the bytes of a document whether it matches; decodes only the fields that the filter looks at. */
export function matcherOf(filter: Document): Matcher {
  const read = readerOf(filter);
  return (bytes) => read(bytes) !== undefined;
}

/** Answers a document, if it matches: of its fields those that the filter looks at, and those in `wanted`. */
function readerOf(filter: Document, wanted: string[] = []): (bytes: Buffer) => Document | undefined {
  const names = fieldsOf(filter, new Set(wanted));
  const matches = compileFilter(filter);
  const read = asksForTypes(filter) ? decodeTyped : decode;
  const fields = names && new Fields(names);
  return (bytes) => {
    const doc = read(fields ? fields.splice(bytes, true) : bytes);
    return matches(doc) ? doc : undefined;
  };
}

/** Reads the candidates of a plan, in its order, in growing pieces: nothing stays open between them. */
class Candidates implements Stream {
  /** How many were looked at. */
  examined = 0;
  readonly #ranges: KeyRange[];
  readonly #seen: Set<number> | undefined;
  #at = 0;
  #chunk: Found[] = [];
  #position = 0;
  // of the collection when the piece was read: after a change the documents are read again
  #version = 0;

  constructor(
    readonly workspace: Workspace,
    readonly writer: Writer,
    readonly collection: Collection,
    readonly plan: Plan,
    private size: number,
  ) {
    const whole = { start: collection.dataKey(0), end: collection.dataKey(2 ** 48 - 1) };
    const ranges = plan.bounds?.ranges ?? [whole];
    this.#ranges = (plan.reverse ? [...ranges].reverse() : ranges).map((range) => ({ ...range }));
    if (plan.index && (plan.index.multikey || ranges.length > 1)) this.#seen = new Set();
  }

  next(): Found | undefined {
    for (;;) {
      const found = this.#chunk[this.#position++];
      if (found) {
        if (this.#seen?.has(found.record)) continue;
        this.#seen?.add(found.record);
        this.examined++;
        if (this.#version === this.collection.version) return found;
        const bytes = this.workspace.read(this.collection, found.record);
        if (bytes) return { record: found.record, bytes };
      }
      if (!this.#fill()) return undefined;
    }
  }

  #fill(): boolean {
    const range = this.#ranges[this.#at];
    if (!range) return false;
    if (this.plan.index?.dropped) throw new EngineError(175, 'the index that the query reads was dropped');
    const size = this.size;
    this.#position = 0;
    this.#version = this.collection.version;
    const complete = this.plan.index ? this.#readIndex(range, size) : this.#readData(range, size);
    if (complete) this.#at++;
    else this.size = Math.min(size * 4, LARGEST_CHUNK);
    return true;
  }

  #readData(range: KeyRange, limit: number): boolean {
    const { environment } = this.writer;
    const rows = environment.range(environment.data, this.#slice(range, limit), this.workspace.snapshot);
    this.#chunk = rows.map(({ key, value }) => ({ record: key.readUIntBE(4, RECORD_SIZE), bytes: value }));
    return this.#advance(range, rows.at(-1)?.key, rows.length < limit);
  }

  #readIndex(range: KeyRange, limit: number): boolean {
    const { environment } = this.writer;
    if (this.plan.bounds?.points) {
      const number = environment.entries.get(range.start, { transaction: this.workspace.snapshot });
      this.#chunk = number ? this.#fetch([number.readUIntBE(0, RECORD_SIZE)]) : [];
      return true;
    }
    const slice = this.#slice(range, limit);
    if (this.plan.index?.unique) {
      const rows = environment.range(environment.entries, slice, this.workspace.snapshot);
      this.#chunk = this.#fetch(rows.map(({ value }) => value.readUIntBE(0, RECORD_SIZE)));
      return this.#advance(range, rows.at(-1)?.key, rows.length < limit);
    }
    const keys = environment.keys(environment.entries, slice, this.workspace.snapshot);
    this.#chunk = this.#fetch(keys.map((key) => key.readUIntBE(key.length - RECORD_SIZE, RECORD_SIZE)));
    return this.#advance(range, keys.at(-1), keys.length < limit);
  }

  #fetch(records: number[]): Found[] {
    const found: Found[] = [];
    const { environment } = this.writer;
    const options = { transaction: this.workspace.snapshot };
    for (const record of records) {
      const bytes = environment.data.get(this.collection.dataKey(record), options);
      if (bytes) found.push({ record, bytes });
    }
    return found;
  }

  #slice({ start, end }: KeyRange, limit: number): Range {
    return { start, end, reverse: this.plan.reverse, limit };
  }

  #advance(range: KeyRange, last: Buffer | undefined, complete: boolean): boolean {
    if (!last || complete) return true;
    if (this.plan.reverse) range.end = last;
    else range.start = Buffer.concat([last, NEXT_KEY]);
    return false;
  }
}

/** What `explain` tells of a query that was run. */
export interface Trace {
  plan: Plan;
  examined: number;
  /** Whether the order was made in memory. */
  sortedInMemory: boolean;
}

/** Starts a query. @throws EngineError for a filter, sort or hint that is none. */
export function openStream(workspace: Workspace, writer: Writer, collection: Collection, query: Query): Stream {
  // compiled first, also where the plan needs neither: they check what they are given
  const matches = matcherOf(query.filter);
  if (query.sort) compileSort(query.sort);
  const plan = planFor(workspace, collection, query);
  const overlay = workspace.overlay(collection);
  const changed = overlay?.within(plan.index, plan.bounds?.ranges ?? []) ?? [];
  const { skip = 0, limit = Infinity } = query;
  const inMemory = !plan.sorted || changed.length > 0;
  const wanted = plan.exact && !inMemory && limit !== Infinity ? skip + limit : FIRST_CHUNK;
  const size = inMemory ? LARGEST_CHUNK : Math.max(1, Math.min(wanted, LARGEST_CHUNK));
  const candidates = new Candidates(workspace, writer, collection, plan, size);
  const stream = inMemory
    ? sortedStream({ workspace, candidates, changed, matches, query })
    : limited(
        overlay ? asChanged(candidates, overlay, matches) : candidates,
        plan.exact ? whileUnchanged(collection, matches) : matches,
        { skip, limit },
      );
  const sortedInMemory = inMemory && query.sort !== undefined;
  return { next: () => stream.next(), trace: () => ({ plan, examined: candidates.examined, sortedInMemory }) };
}

// an exact plan finds what matches, but what has been found may change before it is asked for
function whileUnchanged(collection: Collection, matches: Matcher): Matcher {
  const { version } = collection;
  return (bytes) => collection.version === version || matches(bytes);
}

// none of what the transaction has changed so far is in the answer, but what it changes between the pieces may be
function asChanged(candidates: Candidates, overlay: Overlay, matches: Matcher): Stream {
  const { workspace, collection } = candidates;
  return {
    next() {
      for (let found = candidates.next(); found; found = candidates.next()) {
        if (!overlay.has(found.record)) return found;
        const bytes = workspace.read(collection, found.record);
        if (bytes && matches(bytes)) return { record: found.record, bytes };
      }
      return undefined;
    },
  };
}

function limited(from: Stream, matches: Matcher, { skip, limit }: { skip: number; limit: number }): Stream {
  let passed = 0;
  return {
    next() {
      while (passed < skip + limit) {
        const found = from.next();
        if (!found) return undefined;
        if (!matches(found.bytes)) continue;
        if (passed++ >= skip) return found;
      }
      return undefined;
    },
  };
}

interface Sorting {
  workspace: Workspace;
  candidates: Candidates;
  /** Documents that the transaction has changed, and that may match. */
  changed: Found[];
  matches: Matcher;
  query: Query;
}

interface Row {
  record: number;
  keys: Document;
}

function sortedStream({ workspace, candidates, changed, matches, query }: Sorting): Stream {
  const { collection } = candidates;
  const sort = query.sort && !('$natural' in query.sort) ? query.sort : undefined;
  const order = rowOrder(sort, candidates.plan.reverse && !sort);
  const read = readerOf(query.filter, Object.keys(sort ?? {}).map(topField));
  const most = (query.skip ?? 0) + (query.limit ?? Infinity);
  let rows: Row[] = [];
  const add = (record: number, bytes: Buffer): void => {
    const keys = read(bytes);
    if (keys) rows.push({ record, keys });
    if (rows.length > most * 2 + LARGEST_CHUNK) rows = rows.sort(order).slice(0, most);
  };
  const overlay = workspace.overlay(collection);
  for (let found = candidates.next(); found; found = candidates.next()) {
    if (!overlay?.has(found.record)) add(found.record, found.bytes);
  }
  for (const { record, bytes } of changed) add(record, bytes);
  const sorted = rows.sort(order).slice(query.skip ?? 0, most);
  const records = sorted.map(({ record }) => record);
  return fetching(workspace, collection, records, matches);
}

function rowOrder(sort: Document | undefined, reverse: boolean): (a: Row, b: Row) => number {
  const compare = sort && compileSort(sort);
  const direction = reverse ? -1 : 1;
  return (a, b) => (compare?.(a.keys, b.keys) ?? 0) || (a.record - b.record) * direction;
}

function fetching(workspace: Workspace, collection: Collection, records: number[], matches: Matcher): Stream {
  const { version } = collection;
  let at = 0;
  return {
    next() {
      for (;;) {
        const record = records[at++];
        if (record === undefined) return undefined;
        const bytes = workspace.read(collection, record);
        if (bytes && (collection.version === version || matches(bytes))) return { record, bytes };
      }
    },
  };
}
