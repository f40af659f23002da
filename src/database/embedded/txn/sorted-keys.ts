const CHUNK = 512;

/** Strings in the order of their code units, each once: adding and removing one costs about the same however many there are. */
export class SortedKeys {
  // none of the chunks is empty, and each ends before the next one begins
  readonly #chunks: string[][] = [];

  constructor(keys: string[] = []) {
    const sorted = [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1));
    for (let start = 0; start < sorted.length; start += CHUNK) this.#chunks.push(sorted.slice(start, start + CHUNK));
  }

  /** Adds a key that may be there already. */
  add(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.#chunks.push([key]);
      return;
    }
    const place = placeOf(chunk, key);
    if (chunk[place] === key) return;
    chunk.splice(place, 0, key);
    if (chunk.length > CHUNK * 2) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK));
  }

  /** Removes a key, if it is there. */
  remove(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    const place = chunk ? placeOf(chunk, key) : 0;
    if (chunk?.[place] !== key) return;
    chunk.splice(place, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** The keys from `start` on and before `end`, in order. */
  *range(start: string, end: string): Generator<string> {
    for (let at = this.#chunkOf(start); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] ?? [];
      for (let place = placeOf(chunk, start); place < chunk.length; place++) {
        const key = chunk[place] ?? end;
        if (key >= end) return;
        yield key;
      }
    }
  }

  /** The last chunk that does not begin behind `key`, or the first one. */
  #chunkOf(key: string): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle]?.[0] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** Where `key` stands in `chunk`, or would stand. */
function placeOf(chunk: string[], key: string): number {
  let [low, high] = [0, chunk.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunk[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
