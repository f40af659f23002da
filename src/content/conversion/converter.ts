import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ConversionError } from './conversion-error.js';
import { ConversionThread } from './conversion-thread.js';
import type { Job, Jobs } from './jobs.js';

/** Time for one piece of work, ms: an honest page takes some tenths of a second, or a few where others work too. */
const IMPORT_TIME = 20_000;
/** Time to read one text into nodes, or to spell it, ms. */
const READING_TIME = 10_000;

/**
 * Reads what others wrote in threads of its own, for imports and for reading pages: parsing HTML and intricate Markdown
 * takes long, and as long as its author wants it to.
 */
@Injectable()
export class Converter implements OnApplicationShutdown {
  private readonly imports = threadFor(IMPORT_TIME);
  /** Of its own: whoever reads a page does not wait for somebody's import. */
  private readonly reading = threadFor(READING_TIME);

  /** Does one piece of work. @throws ConversionError for what cannot be converted, or not within the limits. */
  async run<K extends keyof Jobs>(kind: K, input: Jobs[K]['input']): Promise<Jobs[K]['output']> {
    const job = { kind, input } as Job;
    const thread = kind === 'document' || kind === 'markdown' ? this.reading : this.imports;
    const output = thread ? await thread.run(job) : await here(job);
    return output;
  }

  /** Ends the threads. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.imports?.stop(), this.reading?.stop()]);
  }
}

/** A thread, where there is the compiled code for one: it cannot be started from TypeScript. */
function threadFor(time: number): ConversionThread | undefined {
  if (import.meta.url.endsWith('.ts')) return undefined;
  return new ConversionThread(new URL('./worker.js', import.meta.url), time);
}

async function here(job: Job): Promise<Jobs[keyof Jobs]['output']> {
  const { doJob } = await import('./jobs.js');
  try {
    return await doJob(job);
  } catch (error) {
    throw error instanceof ConversionError ? error : new ConversionError('cannot be read');
  }
}
