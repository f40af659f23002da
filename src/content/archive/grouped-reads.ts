/**
 * Reads things one by one that are loaded in groups: `load` gets the ids of a whole group, and one group is in memory.
 * Made for reading in the order of `ids`; any order works.
 */
export class GroupedReads<T> {
  private readonly groupOf = new Map<string, number>();
  private current: { group: number; loaded: Promise<ReadonlyMap<string, T>> } | undefined;

  constructor(
    private readonly ids: readonly string[],
    private readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
    private readonly size = 100,
  ) {
    for (const [index, id] of ids.entries()) this.groupOf.set(id, Math.floor(index / size));
  }

  /** What `load` answered for `id`, if anything. */
  async get(id: string): Promise<T | undefined> {
    const group = this.groupOf.get(id);
    if (group === undefined) return undefined;
    if (this.current?.group !== group) {
      this.current = { group, loaded: this.load(this.ids.slice(group * this.size, (group + 1) * this.size)) };
    }
    return (await this.current.loaded).get(id);
  }
}
