import { Worker } from 'node:worker_threads';
import { KeyedLock } from '../../common/keyed-lock.js';
import { ConversionError } from './conversion-error.js';
import type { Job, Jobs } from './jobs.js';
import type { Reply } from './worker.js';

/** How long a thread without work is kept, ms. */
const MAX_IDLE = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 };

/** A thread that does one piece of work after the other; one that takes too long or too much ends with its thread. */
export class ConversionThread {
  private readonly lock = new KeyedLock();
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;

  /**
   * @param file The compiled code of the thread.
   * @param maxTime Time for one piece of work, ms.
   */
  constructor(
    private readonly file: URL,
    private readonly maxTime: number,
  ) {}

  /** Does `job` when those before it are done. @throws ConversionError */
  run(job: Job): Promise<Jobs[keyof Jobs]['output']> {
    return this.lock.run('', async () => {
      clearTimeout(this.idle);
      try {
        return await this.ask(job);
      } finally {
        this.idle = setTimeout(() => void this.stop(), MAX_IDLE).unref();
      }
    });
  }

  /** Ends the thread; the next piece of work starts another. */
  async stop(): Promise<void> {
    clearTimeout(this.idle);
    const worker = this.worker;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async ask(job: Job): Promise<Jobs[keyof Jobs]['output']> {
    const worker = (this.worker ??= this.start());
    worker.ref();
    const reply = await new Promise<Reply | undefined>((resolve) => {
      const fail = (): void => {
        end(undefined);
      };
      const clock = setTimeout(fail, this.maxTime);
      const end = (answer: Reply | undefined): void => {
        clearTimeout(clock);
        worker.off('message', end).off('error', fail).off('exit', fail).unref();
        resolve(answer);
      };
      // out of memory is an error; whatever else ends it, an exit
      worker.on('message', end).on('error', fail).on('exit', fail).postMessage(job);
    });
    if (reply && 'output' in reply) return reply.output;
    if (reply) throw new ConversionError(reply.error);
    await this.stop();
    throw new ConversionError('takes too much time or memory to be read');
  }

  private start(): Worker {
    const worker = new Worker(this.file, { resourceLimits: MEMORY });
    // one that comes after its work was given up is nobody's
    worker.on('error', () => undefined).unref();
    return worker;
  }
}
