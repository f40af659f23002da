/** One word in one page. */
export interface Posting {
  /** Number of the page in its segment. */
  page: number;
  /** How much the word says about the page: 1 to 255. */
  impact: number;
  /** Where it stands: numbers of words from the beginning of the page, rising. */
  positions: number[];
}

/** Words with their postings, encoded. */
export interface Block {
  /** Its first word: blocks follow each other in the order of words, and a word with many pages fills several. */
  first: string;
  data: Buffer;
}

/** A word of a block; its postings still lie encoded between two offsets of the block. */
export interface Entry {
  word: string;
  start: number;
  end: number;
}

/** Bytes of a block that is quick to read. */
const BLOCK_SIZE = 16 * 1024;

/** Reads an encoded block from front to back. */
export class BlockReader {
  constructor(
    readonly data: Buffer,
    private offset = 0,
    private end = data.length,
  ) {}

  /** Whether nothing is left to read. */
  get done(): boolean {
    return this.offset >= this.end;
  }

  /** The next word; the reader then stands behind its postings. */
  entry(): Entry {
    const length = this.number();
    const word = this.data.toString('utf8', this.offset, this.offset + length);
    this.offset += length;
    const size = this.number();
    const start = this.offset;
    this.offset += size;
    return { word, start, end: this.offset };
  }

  /** The words that are left and begin with `prefix`, which is UTF-8. */
  entriesFrom(prefix: Buffer): Entry[] {
    const entries: Entry[] = [];
    while (!this.done) {
      const word = this.offset;
      const length = this.number();
      if (length >= prefix.length && this.beginsWith(prefix)) {
        this.offset = word;
        entries.push(this.entry());
        continue;
      }
      // words with one beginning stand together
      if (entries.length > 0) break;
      this.offset += length;
      const size = this.number();
      this.offset += size;
    }
    return entries;
  }

  /** The next number: of the positions of a posting, by how much it is above the one before, the first above -1. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.data[this.offset++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  /** Calls `visit` for each posting that is left; positions are given as the bytes they are encoded in. */
  postings(visit: (page: number, impact: number, start: number, end: number) => void): void {
    let page = -1;
    while (this.offset < this.end) {
      page += this.number();
      const impact = this.data[this.offset++] ?? 0;
      const size = this.number();
      const start = this.offset;
      this.offset += size;
      visit(page, impact, start, this.offset);
    }
  }

  private beginsWith(prefix: Buffer): boolean {
    for (let place = 0; place < prefix.length; place += 1) {
      if (this.data[this.offset + place] !== prefix[place]) return false;
    }
    return true;
  }
}

/** Encodes words, given in rising order, into blocks. */
export class BlockWriter {
  private blocks: Block[] = [];
  private first: string | undefined;
  private readonly block = new Bytes();
  private readonly entry = new Bytes();
  private word = '';
  private page = -1;

  /** @param size A block ends after the posting that takes it over this many bytes. */
  constructor(private readonly size = BLOCK_SIZE) {}

  /** Adds a page to `word`; words come in order, and the pages of a word too. */
  add(word: string, page: number, impact: number, positions: Uint8Array): void {
    if (word !== this.word) this.endEntry();
    this.word = word;
    this.entry.number(page - this.page);
    this.page = page;
    this.entry.byte(impact);
    this.entry.number(positions.length);
    this.entry.bytes(positions);
    if (this.block.length + this.entry.length >= this.size) this.endBlock();
  }

  /** The blocks that have become full since it was last asked; with `rest`, also the one that has not. */
  take(rest = false): Block[] {
    if (rest) this.endBlock();
    const blocks = this.blocks;
    this.blocks = [];
    return blocks;
  }

  private endEntry(): void {
    if (this.entry.length === 0) return;
    const word = Buffer.from(this.word, 'utf8');
    this.first ??= this.word;
    this.block.number(word.length);
    this.block.bytes(word);
    this.block.number(this.entry.length);
    this.block.bytes(this.entry.take());
    this.page = -1;
  }

  private endBlock(): void {
    this.endEntry();
    if (this.first === undefined) return;
    this.blocks.push({ first: this.first, data: Buffer.from(this.block.take()) });
    this.first = undefined;
  }
}

/** `positions` as a posting keeps them. */
export function encodePositions(positions: readonly number[]): Uint8Array {
  const bytes = new Bytes(positions.length * 2);
  let last = -1;
  for (const position of positions) {
    bytes.number(position - last);
    last = position;
  }
  return Uint8Array.from(bytes.take());
}

/** A growing array of bytes; whole numbers below 2^31 take one byte for each seven bits. */
class Bytes {
  length = 0;
  private data: Uint8Array;

  constructor(capacity = 1024) {
    this.data = new Uint8Array(capacity);
  }

  byte(value: number): void {
    this.reserve(1);
    this.data[this.length++] = value;
  }

  number(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }

  bytes(values: Uint8Array): void {
    this.reserve(values.length);
    this.data.set(values, this.length);
    this.length += values.length;
  }

  /** What was written, until the next write; it begins anew. */
  take(): Uint8Array {
    const taken = this.data.subarray(0, this.length);
    this.length = 0;
    return taken;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.data.length) return;
    const grown = new Uint8Array(Math.max(this.data.length * 2, this.length + count));
    grown.set(this.data);
    this.data = grown;
  }
}
