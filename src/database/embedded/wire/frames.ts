const LENGTH = 4;
const HEADER = 16;

/** Cuts a byte stream into messages: many may come in one chunk, and one in many. */
export class Frames {
  #chunks: Buffer[] = [];
  #size = 0;

  /** `limit` is the largest message, in bytes. */
  constructor(readonly limit: number) {}

  /** The messages that `chunk` completes. @throws Error for a length that no message has: the stream cannot be read on. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Buffer[] = [];
    for (let length = this.#nextLength(); length <= this.#size; length = this.#nextLength()) {
      messages.push(this.#take(length));
    }
    return messages;
  }

  #nextLength(): number {
    const first = this.#chunks[0];
    if (!first || this.#size < LENGTH) return Infinity;
    const start = first.length >= LENGTH ? first : this.#join();
    const length = start.readInt32LE(0);
    if (length < HEADER + LENGTH || length > this.limit) throw new Error(`a message cannot have ${length} bytes`);
    return length;
  }

  // joined once per message, not once per chunk: a large message comes in hundreds
  #join(): Buffer {
    const joined = Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [joined];
    return joined;
  }

  #take(length: number): Buffer {
    const [first] = this.#chunks;
    const whole = first && first.length >= length ? first : this.#join();
    const rest = whole.subarray(length);
    this.#size -= length;
    this.#chunks[0] = rest;
    if (rest.length === 0) this.#chunks.shift();
    return whole.subarray(0, length);
  }
}
