import { Timestamp } from 'bson';
import { CODES, EngineError } from '../errors.js';
import type { Collection } from '../store/catalogue.js';
import type { Direct } from '../store/direct.js';
import type { Snapshot } from '../store/environment.js';
import type { Index } from '../store/index.js';
import type { Workspace } from '../store/workspace.js';

let lastView = 0;

/** The stored data as it was at one moment, for a session that wants all of its reads to be of that moment. */
export class View implements Workspace {
  readonly snapshot: Snapshot;
  /** Names the moment; no other view has the same. */
  readonly time: Timestamp;
  readonly startedAt = Date.now();
  readonly #sequence: number;
  readonly #collections: ReadonlyMap<string, Collection>;

  constructor(readonly direct: Direct) {
    const { environment, catalogue, sequence } = direct.writer;
    this.snapshot = environment.snapshot();
    this.#sequence = sequence;
    // what is dropped later is in the snapshot still
    this.#collections = new Map(catalogue.list().map((collection) => [collection.namespace, collection]));
    lastView = (lastView + 1) % 0x8000_0000;
    this.time = new Timestamp({ t: Math.floor(this.startedAt / 1000), i: lastView });
  }

  overlay(): undefined {
    return undefined;
  }

  usable(index: Index): boolean {
    return index.createdAt <= this.#sequence;
  }

  find(namespace: string): Collection | undefined {
    return this.#collections.get(namespace);
  }

  read(collection: Collection, record: number): Buffer | undefined {
    return this.direct.writer.environment.data.get(collection.dataKey(record), { transaction: this.snapshot });
  }

  obtain(): never {
    throw readOnly();
  }

  addIndex(): never {
    throw readOnly();
  }

  insert(): never {
    throw readOnly();
  }

  replace(): never {
    throw readOnly();
  }

  remove(): never {
    throw readOnly();
  }

  /** Gives the snapshot back. */
  end(): void {
    this.snapshot.done();
  }
}

function readOnly(): EngineError {
  return new EngineError(CODES.IllegalOperation, 'what is read of the past cannot be written');
}
