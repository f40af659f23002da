import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ConversionError } from './convert/conversion-error.js';
import type { Job, Jobs } from './convert/jobs.js';
import { ConversionThread } from './conversion-thread.js';

/**
 * Makes what comes from outside into what is stored, in a thread of its own: parsing HTML takes long, and as long as its
 * author wants it to.
 */
@Injectable()
export class Converter implements OnApplicationShutdown {
  // a thread cannot be started from TypeScript
  private readonly thread = import.meta.url.endsWith('.ts')
    ? undefined
    : new ConversionThread(new URL('./convert/worker.js', import.meta.url));

  /** Does one piece of work. @throws ConversionError for what cannot be converted, or not within the limits. */
  async run<K extends keyof Jobs>(kind: K, input: Jobs[K]['input']): Promise<Jobs[K]['output']> {
    const job = { kind, input } as Job;
    const output = this.thread ? await this.thread.run(job) : await here(job);
    return output;
  }

  /** Ends the thread. */
  async onApplicationShutdown(): Promise<void> {
    await this.thread?.stop();
  }
}

async function here(job: Job): Promise<Jobs[keyof Jobs]['output']> {
  const { doJob } = await import('./convert/jobs.js');
  try {
    return await doJob(job);
  } catch (error) {
    throw error instanceof ConversionError ? error : new ConversionError('cannot be read');
  }
}
