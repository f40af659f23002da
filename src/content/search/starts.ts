import type { BlockReader } from './blocks.js';

/** Where, in each page, a sequence of words may start: numbers of words, rising. Flat, since a search asks for thousands of them. */
export class Starts {
  private readonly begins: Int32Array;
  private readonly counts: Int32Array;
  private places = new Int32Array(1024);
  private length = 0;
  /** Whether there is none in any page. */
  empty = true;

  /** @param size Number of pages. */
  constructor(size: number) {
    this.begins = new Int32Array(size);
    this.counts = new Int32Array(size);
  }

  /** Whether a sequence may start in `page`. */
  has(page: number): boolean {
    return this.counts[page] !== 0;
  }

  /**
   * Adds what `positions` are left to read in `page`, each less `shift`; with `among`, only those that are in it. A page may be
   * added to again, by other forms of a word.
   */
  add(page: number, positions: BlockReader, shift: number, among?: Starts): void {
    const begin = this.length;
    const [former, before] = [this.begins[page] ?? 0, this.counts[page] ?? 0];
    let next = among?.begins[page] ?? 0;
    const last = next + (among?.counts[page] ?? 0);
    for (let place = -1 - shift; !positions.done;) {
      place += positions.number();
      if (among) {
        while (next < last && (among.places[next] ?? 0) < place) next += 1;
        if (next === last) break;
        if (among.places[next] !== place) continue;
      }
      this.push(place);
    }
    if (this.length === begin) return;
    this.empty = false;
    this.begins[page] = begin;
    if (before > 0) {
      for (let at = 0; at < before; at += 1) this.push(this.places[former + at] ?? 0);
      this.places.subarray(begin, this.length).sort();
    }
    this.counts[page] = this.length - begin;
  }

  private push(place: number): void {
    if (this.length === this.places.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.places);
      this.places = grown;
    }
    this.places[this.length++] = place;
  }
}
