/** Places that there is room for at first. */
const MIN_PLACES = 1024;
/** Room for more places than this is not kept for the next search. */
const MAX_KEPT = 64 * 1024;

/** Positions as a posting keeps them: bytes of `data` from `start` to `end`, each to be lowered by `shift`. */
interface Encoded {
  data: Uint8Array;
  start: number;
  end: number;
  shift: number;
}

/** Where, in each page, a sequence of words may start: numbers of words, rising. Flat, since a search asks for thousands of them. */
export class Starts {
  private begins = new Int32Array();
  private counts = new Int32Array();
  private places = new Int32Array(MIN_PLACES);
  private length = 0;
  /** For the page that was asked for last: its number plus one at each of its places. */
  private marks = new Int32Array(MIN_PLACES);
  /** Whether there is none in any page. */
  empty = true;

  /** Empties it for `size` pages; what it was made of is used again. */
  reset(size: number): this {
    if (this.begins.length < size) {
      this.begins = new Int32Array(size);
      this.counts = new Int32Array(size);
    } else {
      this.counts.fill(0);
    }
    if (this.places.length > MAX_KEPT) this.places = new Int32Array(MIN_PLACES);
    if (this.marks.length > MAX_KEPT) this.marks = new Int32Array(MIN_PLACES);
    else this.marks.fill(0);
    this.length = 0;
    this.empty = true;
    return this;
  }

  /** Whether a sequence may start in `page`. */
  has(page: number): boolean {
    return this.counts[page] !== 0;
  }

  /**
   * Adds the positions in `page` that `data` encodes from `start` to `end`, each less `shift`; with `among`, only those that are in
   * it. A page may be added to again, by other forms of a word.
   */
  add(page: number, data: Uint8Array, start: number, end: number, shift: number, among?: Starts): void {
    const begin = this.length;
    const [former, before] = [this.begins[page] ?? 0, this.counts[page] ?? 0];
    // a position takes a byte at least
    this.reserve(end - start + before);
    this.decode({ data, start, end, shift }, page + 1, among?.marksOf(page));
    if (this.length === begin) return;
    this.empty = false;
    this.begins[page] = begin;
    if (before > 0) {
      this.places.copyWithin(this.length, former, former + before);
      this.length += before;
      this.places.subarray(begin, this.length).sort();
    }
    this.counts[page] = this.length - begin;
  }

  /**
   * With `marks`, only the places that have `mark` there. In place, not by a call for each number: a search decodes some ten
   * thousand.
   */
  private decode({ data, start, end, shift }: Encoded, mark: number, marks?: Int32Array): void {
    const { places } = this;
    let { length } = this;
    let place = -1 - shift;
    for (let at = start; at < end;) {
      let byte = data[at++] ?? 0;
      let step = byte & 0x7f;
      for (let bits = 7; byte >= 0x80; bits += 7) {
        byte = data[at++] ?? 0;
        step |= (byte & 0x7f) << bits;
      }
      place += step;
      if (marks && place >= marks.length) break;
      // nothing starts before its page does
      if (place >= 0 && (!marks || marks[place] === mark)) places[length++] = place;
    }
    this.length = length;
  }

  private marksOf(page: number): Int32Array {
    const begin = this.begins[page] ?? 0;
    const end = begin + (this.counts[page] ?? 0);
    const last = end > begin ? (this.places[end - 1] ?? 0) : 0;
    if (last >= this.marks.length) this.marks = new Int32Array(last * 2);
    const { marks, places } = this;
    for (let at = begin; at < end; at += 1) marks[places[at] ?? 0] = page + 1;
    return marks;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.places.length) return;
    const grown = new Int32Array(Math.max(this.places.length * 2, this.length + count));
    grown.set(this.places.subarray(0, this.length));
    this.places = grown;
  }
}
