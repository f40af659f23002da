import DataLoader from 'dataloader';

/** Most keys that one query asks for, and most records that one command writes. */
const MOST = 100;

/** Reads what stands under `keys`, by key; what does not stand anywhere is left out. */
export type ReadMany<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/**
 * A read of one key that is one query with those of others who ask in the same turn of the event loop: the requests of many
 * callers begin with the same reads, and a query costs far more than a record. Nothing is kept: what is answered was read
 * after it was asked for. Callers who ask for the same are given the same value.
 *
 * @param most Keys that one query asks for.
 */
export function gathered<T>(readMany: ReadMany<T>, most = MOST): (key: string) => Promise<T | null> {
  return inOneTurn<string, T | null>(async (keys) => {
    const found = await readMany([...new Set(keys)]);
    return keys.map((key) => found.get(key) ?? null);
  }, most);
}

/**
 * A write of one record that is one command with those of others who write in the same turn of the event loop, as {@link gathered}
 * is a read. It resolves when its record is written; where a command fails, all whose records it held are told so.
 */
export function gatheredWrite<T>(writeMany: (records: readonly T[]) => Promise<void>): (record: T) => Promise<void> {
  return inOneTurn<T, undefined>(async (records) => {
    await writeMany(records);
    return records.map(() => undefined);
  }, MOST);
}

/**
 * A read that is made once for all who ask the same in one turn of the event loop, as many readers of one site do. Nothing is kept:
 * what is answered was read after it was asked for. Callers who ask for the same are given the same value.
 *
 * @param read A question to it is told from others as JSON.
 */
export function shared<Q, T>(read: (question: Q) => Promise<T>): (question: Q) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (question) => {
    const key = JSON.stringify(question);
    const known = asked.get(key);
    if (known) return known;
    const answer = new Promise<void>(inNextPhase).then(() => {
      asked.delete(key);
      return read(question);
    });
    asked.set(key, answer);
    return answer;
  };
}

function inOneTurn<K, V>(batch: (keys: readonly K[]) => Promise<V[]>, most: number): (key: K) => Promise<V> {
  const loader = new DataLoader<K, V>(batch, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: inNextPhase,
  });
  return (key) => loader.load(key);
}

/** Calls `then` in the phase after that in which sockets are read: by then all requests that have arrived have asked. */
function inNextPhase(then: () => void): void {
  setImmediate(then);
}
