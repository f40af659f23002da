import { TaskThread, ThreadLimitError } from '../../common/task-thread.js';
import { ConversionError } from './conversion-error.js';
import type { Job, Jobs } from './jobs.js';
import type { Reply } from './worker.js';

const MEMORY = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 };

/** A thread that does one piece of work after the other; one that takes too long or too much ends with its thread. */
export class ConversionThread {
  private readonly thread: TaskThread<Job, Reply>;

  /**
   * @param file The compiled code of the thread.
   * @param maxTime Time for one piece of work, ms.
   */
  constructor(file: URL, maxTime: number) {
    this.thread = new TaskThread(file, { maxTime, memory: MEMORY });
  }

  /** Does `job` when those before it are done. @throws ConversionError */
  async run(job: Job): Promise<Jobs[keyof Jobs]['output']> {
    const reply = await this.thread.run(job).catch((error: unknown) => {
      if (!(error instanceof ThreadLimitError)) throw error;
      throw new ConversionError('takes too much time or memory to be read');
    });
    if ('output' in reply) return reply.output;
    throw new ConversionError(reply.error);
  }

  /** Ends the thread; the next piece of work starts another. */
  stop(): Promise<void> {
    return this.thread.stop();
  }
}
