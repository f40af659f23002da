import { setImmediate } from 'node:timers/promises';
import { ContentError } from '../content-error.js';
import { MAX_MARKDOWN } from '../read-outline.js';
import type { TextVersions } from './decisions.js';
import { mergeText } from './merge-text.js';

/** Reads and stores the Markdown of one organization, by the key of each text. */
export interface Texts {
  /** The texts under `keys`, where there are any. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Stores texts; answers their keys in the same order. @throws ContentError for one that the store refuses. */
  write(markdowns: readonly string[]): Promise<readonly string[]>;
}

/** Texts held in memory at a time: three versions of each. */
const BATCH = 10;

/** Merges stored texts line by line, each once. */
export class TextMerge {
  private readonly known = new Map<string, string | null>();

  constructor(private readonly texts: Texts) {}

  /** The key of each merged text, under the same id; `null` where the versions do not go together. */
  async run(wanted: ReadonlyMap<string, TextVersions>): Promise<Map<string, string | null>> {
    const open = [...wanted.values()].filter((versions) => !this.known.has(nameOf(versions)));
    for (let start = 0; start < open.length; start += BATCH) await this.merge(open.slice(start, start + BATCH));
    return new Map([...wanted].map(([id, versions]) => [id, this.known.get(nameOf(versions)) ?? null]));
  }

  /** Stores a text that somebody wrote to settle a conflict, and answers its key. @throws ContentError as `write` */
  async write(markdown: string): Promise<string> {
    const [key] = await this.texts.write([markdown]);
    if (key === undefined) throw new Error('The text was not stored');
    return key;
  }

  private async merge(batch: readonly TextVersions[]): Promise<void> {
    const keys = batch.flatMap(({ base, ours, theirs }) => [base ?? [], ours, theirs].flat());
    const texts = await this.texts.read(keys);
    for (const versions of batch) {
      await setImmediate();
      const [base, ours, theirs] = [versions.base ?? '', versions.ours, versions.theirs].map((key) => texts.get(key));
      if (ours === undefined || theirs === undefined) throw new Error('A text is missing');
      const merged = versions.base === undefined ? null : mergeText(base ?? '', ours, theirs);
      this.known.set(nameOf(versions), merged === null ? null : await this.store(merged));
    }
  }

  /** Stores what two texts came to; `null` when both together are more than a page may hold. */
  private async store(markdown: string): Promise<string | null> {
    if (Buffer.byteLength(markdown) > MAX_MARKDOWN) return null;
    try {
      return await this.write(markdown);
    } catch (error) {
      if (error instanceof ContentError) return null;
      throw error;
    }
  }
}

function nameOf({ base = '', ours, theirs }: TextVersions): string {
  return `${base} ${ours} ${theirs}`;
}
