import { open, type Database, type RootDatabase, type Transaction } from 'lmdb';
import { EngineError } from '../errors.js';

/** What a reply waits for: the flush to disk, the commit only, or nothing that a power cut would respect. */
export type Durability = 'flush' | 'commit' | 'none';

/** A snapshot of the data; `done()` gives it back. */
export type Snapshot = Transaction;

type Store = Database<Buffer, Buffer>;

/** Which part of a store is read, and how much of it. */
export interface Range {
  start: Buffer;
  end: Buffer;
  reverse: boolean;
  limit: number;
}

const FORMAT = { keyEncoding: 'binary', encoding: 'binary' } as const;
// lmdb's flags of a transaction: abortable, committed when it returns; and the same without waiting for the flush
const COMMITTED = 0x3;
const COMMITTED_BEFORE_FLUSH = 0x1_0003;
const MAX_READERS = 1024;
const ENTRY_OVERHEAD = 64;
const OUT_OF_DISK_SPACE = 14031;

/** The LMDB environment of one data folder: three ordered maps from bytes to bytes, changed in transactions. */
export class Environment {
  readonly #root: RootDatabase<Buffer, Buffer> & { transactionSync<T>(work: () => T, flags?: number): T };
  readonly #flags: number;
  readonly #sizeLimit: number;
  #roomLeft = Infinity;
  /** Collection records by namespace, counters, and the version of the layout. */
  readonly meta: Store;
  /** Documents by collection id and record number. */
  readonly data: Store;
  /** Index entries by index id and key. */
  readonly entries: Store;

  /** Opens or creates the files in `path`; `sizeLimit` in bytes bounds what they may hold. */
  constructor(path: string, durability: Durability, sizeLimit = Infinity) {
    this.#root = open<Buffer, Buffer>({
      path,
      ...FORMAT,
      maxDbs: 4,
      maxReaders: MAX_READERS,
      // with a flush at each commit the overlapping kind would only delay it
      ...(durability === 'none' ? { noSync: true } : { overlappingSync: durability === 'commit' }),
    });
    this.#flags = durability === 'commit' ? COMMITTED_BEFORE_FLUSH : COMMITTED;
    this.#sizeLimit = sizeLimit;
    this.meta = this.#root.openDB('meta', FORMAT);
    this.data = this.#root.openDB('data', FORMAT);
    this.entries = this.#root.openDB('entries', FORMAT);
  }

  /** Runs `work` as one durable transaction, or as a part of the running one that can fail alone: what it wrote vanishes when it throws. */
  transaction<T>(work: () => T, nested = false): T {
    if (nested) return this.#root.transactionSync(work);
    this.#roomLeft = this.#sizeLimit === Infinity ? Infinity : this.#sizeLimit - this.#bytesUsed();
    return this.#root.transactionSync(work, this.#flags);
  }

  /** A view of the data as it is now, unchanged by later transactions. */
  snapshot(): Snapshot {
    return this.data.useReadTransaction();
  }

  /** Stores a value. @throws EngineError 14031 when the files may not grow by it. */
  put(store: Store, key: Buffer, value: Buffer): void {
    this.#roomLeft -= key.length + value.length + ENTRY_OVERHEAD;
    if (this.#roomLeft < 0) throw outOfSpace('the size limit of the data folder is reached');
    store.putSync(key, value);
  }

  /** Stores a value of the engine's own books, for which there is always room. */
  note(key: Buffer, value: Buffer): void {
    this.meta.putSync(key, value);
  }

  /** Removes a key, if it is there. */
  remove(store: Store, key: Buffer): void {
    store.removeSync(key);
  }

  /** Keys and values in a range, in order. */
  range(store: Store, { start, end, reverse, limit }: Range, transaction?: Snapshot): { key: Buffer; value: Buffer }[] {
    const found: { key: Buffer; value: Buffer }[] = [];
    for (const entry of store.getRange(rangeOptions(start, end, reverse, limit, transaction))) found.push(entry);
    return found;
  }

  /** Keys in a range, in order: cheaper than with values. */
  keys(store: Store, { start, end, reverse, limit }: Range, transaction?: Snapshot): Buffer[] {
    const found: Buffer[] = [];
    for (const key of store.getKeys(rangeOptions(start, end, reverse, limit, transaction))) found.push(key);
    return found;
  }

  /** How many keys there are in `[start, end)`. */
  count(store: Store, start: Buffer, end: Buffer): number {
    return store.getKeysCount({ start, end });
  }

  /** Removes all keys in `[start, end)`. */
  clear(store: Store, start: Buffer, end: Buffer): void {
    for (;;) {
      const keys = this.keys(store, { start, end, reverse: false, limit: 1000 });
      for (const key of keys) store.removeSync(key);
      if (keys.length < 1000) return;
    }
  }

  /** Closes the files once everything is written. */
  async close(): Promise<void> {
    await this.#root.close();
  }

  #bytesUsed(): number {
    let pages = 0;
    let size = 0;
    for (const store of [this.meta, this.data, this.entries]) {
      const stats = store.getStats() as Record<string, number>;
      pages += (stats.treeBranchPageCount ?? 0) + (stats.treeLeafPageCount ?? 0) + (stats.overflowPages ?? 0);
      size = stats.pageSize ?? 4096;
    }
    return pages * size;
  }
}

// a reverse range starts at its upper end, which lmdb includes: ours never is a stored key, but for a resumed one
function rangeOptions(start: Buffer, end: Buffer, reverse: boolean, limit: number, transaction?: Snapshot) {
  return reverse
    ? { start: end, end: start, reverse, limit, transaction, exclusiveStart: true, inclusiveEnd: true }
    : { start, end, limit, transaction };
}

/** The failure of a write for which there is no room (14031, OutOfDiskSpace). */
export function outOfSpace(message: string): EngineError {
  return new EngineError(OUT_OF_DISK_SPACE, message);
}
