/**
 * Reads things one by one out of batches that are loaded together: `load` gets the ids of a whole batch, and one batch
 * is in memory. Made for reading in the order of `ids`; any order works.
 */
export class Batches<T> {
  private readonly batchOf = new Map<string, number>();
  private current: { batch: number; loaded: Promise<ReadonlyMap<string, T>> } | undefined;

  constructor(
    private readonly ids: readonly string[],
    private readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
    private readonly size = 100,
  ) {
    for (const [index, id] of ids.entries()) this.batchOf.set(id, Math.floor(index / size));
  }

  /** What `load` answered for `id`, if anything. */
  async get(id: string): Promise<T | undefined> {
    const batch = this.batchOf.get(id);
    if (batch === undefined) return undefined;
    if (this.current?.batch !== batch) {
      this.current = { batch, loaded: this.load(this.ids.slice(batch * this.size, (batch + 1) * this.size)) };
    }
    return (await this.current.loaded).get(id);
  }
}
