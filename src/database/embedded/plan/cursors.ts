import { CODES, EngineError } from '../errors.js';
import { MAX_DOCUMENT_SIZE } from '../bson/raw.js';

/** Documents, one after the other, as the bytes that go to the client. */
export type Documents = () => Buffer | undefined;

const DEFAULT_BATCH = 101;
const IDLE_LIFETIME = 10 * 60_000;
const BATCH_OVERHEAD = 16;

/** A query whose answer has not been read to its end. */
class Cursor {
  lastUsed = Date.now();
  #ahead: Buffer | undefined;

  constructor(
    readonly namespace: string,
    readonly documents: Documents,
    readonly owner: object | undefined,
  ) {
    this.#ahead = documents();
  }

  get done(): boolean {
    return this.#ahead === undefined;
  }

  /** Up to `count` documents, and no more bytes than a reply holds. */
  read(count: number): Buffer[] {
    const batch: Buffer[] = [];
    let size = 0;
    while (this.#ahead && batch.length < count) {
      size += this.#ahead.length + BATCH_OVERHEAD;
      if (size > MAX_DOCUMENT_SIZE && batch.length > 0) break;
      batch.push(this.#ahead);
      this.#ahead = this.documents();
    }
    return batch;
  }
}

/** A batch of a cursor; `id` is 0 when nothing follows. */
export interface Batch {
  id: number;
  documents: Buffer[];
}

/** The open cursors. */
export class Cursors {
  readonly #cursors = new Map<number, Cursor>();
  #lastId = Math.floor(Math.random() * 2 ** 40);

  /** Reads the first batch and keeps the rest for later; `owner` is the session or transaction that it ends with. */
  open(
    namespace: string,
    documents: Documents,
    options: { batchSize?: number; single?: boolean; owner?: object },
  ): Batch {
    const cursor = new Cursor(namespace, documents, options.owner);
    const batch = cursor.read(options.batchSize ?? DEFAULT_BATCH);
    if (cursor.done || options.single) return { id: 0, documents: batch };
    const id = ++this.#lastId;
    this.#cursors.set(id, cursor);
    return { id, documents: batch };
  }

  /** The next batch. @throws EngineError 43 when there is no such cursor. */
  more(id: number, namespace: string, batchSize?: number): Batch {
    const cursor = this.#cursors.get(id);
    if (cursor?.namespace !== namespace) throw new EngineError(CODES.CursorNotFound, `cursor id ${id} not found`);
    cursor.lastUsed = Date.now();
    let documents: Buffer[];
    try {
      documents = cursor.read(batchSize ?? Infinity);
    } catch (error) {
      this.#cursors.delete(id);
      throw error;
    }
    if (!cursor.done) return { id, documents };
    this.#cursors.delete(id);
    return { id: 0, documents };
  }

  /** Closes cursors; answers those that were open. */
  kill(ids: number[]): number[] {
    return ids.filter((id) => this.#cursors.delete(id));
  }

  /** Closes the cursors of a session or transaction. */
  killOwned(owner: object): void {
    for (const [id, cursor] of this.#cursors) if (cursor.owner === owner) this.#cursors.delete(id);
  }

  /** Closes what nobody has read from for ten minutes. */
  sweep(now: number): void {
    for (const [id, cursor] of this.#cursors) if (now - cursor.lastUsed > IDLE_LIFETIME) this.#cursors.delete(id);
  }
}
