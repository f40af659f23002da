import DataLoader from 'dataloader';

/** Most keys that one query asks for. */
const MOST = 100;

/** Reads what stands under `keys`, by key; what does not stand anywhere is left out. */
export type ReadMany<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/**
 * A read of one key that is one query with those of others who ask in the same turn of the event loop: the requests of many
 * callers begin with the same reads, and a query costs far more than a record. Nothing is kept: what is answered was read
 * after it was asked for. Callers who ask for the same are given the same value.
 */
export function gathered<T>(readMany: ReadMany<T>): (key: string) => Promise<T | null> {
  const loader = new DataLoader<string, T | null>(
    async (keys) => {
      const found = await readMany([...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    },
    {
      cache: false,
      maxBatchSize: MOST,
      // in the phase after that in which sockets are read: by then all requests that have arrived have asked
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    },
  );
  return (key) => loader.load(key);
}
