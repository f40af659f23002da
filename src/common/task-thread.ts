import { type ResourceLimits, Worker } from 'node:worker_threads';
import { KeyedLock } from './keyed-lock.js';

/** How long a thread without work is kept, ms. */
const MAX_IDLE = 30_000;

/** What one task may take. */
export interface ThreadLimits {
  /** ms */
  maxTime: number;
  memory: ResourceLimits;
}

/** A task took more time or memory than it may, or ended its thread otherwise. */
export class ThreadLimitError extends Error {
  override readonly name = 'ThreadLimitError';
}

/**
 * A thread that does one task after the other, for work on what others wrote; a task that takes too long or too much ends
 * with its thread. The code of the thread answers each message with one.
 */
export class TaskThread<Task, Answer> {
  private readonly lock = new KeyedLock();
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;

  /** @param file The compiled code of the thread: it cannot be started from TypeScript. */
  constructor(
    private readonly file: URL,
    private readonly limits: ThreadLimits,
  ) {}

  /**
   * What the thread answers to `task`, when those before it are done. `signal` says that nobody wants it any more.
   * @throws ThreadLimitError, or the reason of `signal`.
   */
  run(task: Task, signal?: AbortSignal): Promise<Answer> {
    return this.lock.run('', async () => {
      signal?.throwIfAborted();
      clearTimeout(this.idle);
      try {
        return await this.ask(task, signal);
      } finally {
        this.idle = setTimeout(() => void this.stop(), MAX_IDLE).unref();
      }
    });
  }

  /** Ends the thread; the next task starts another. */
  async stop(): Promise<void> {
    clearTimeout(this.idle);
    const worker = this.worker;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async ask(task: Task, signal?: AbortSignal): Promise<Answer> {
    const worker = (this.worker ??= this.start());
    worker.ref();
    const answer = await new Promise<{ given: Answer } | undefined>((resolve) => {
      const take = (given: Answer): void => {
        end({ given });
      };
      const fail = (): void => {
        end(undefined);
      };
      const clock = setTimeout(fail, this.limits.maxTime);
      const end = (outcome: { given: Answer } | undefined): void => {
        clearTimeout(clock);
        signal?.removeEventListener('abort', fail);
        worker.off('message', take).off('error', fail).off('exit', fail).unref();
        resolve(outcome);
      };
      signal?.addEventListener('abort', fail);
      // out of memory is an error; whatever else ends it, an exit
      worker.on('message', take).on('error', fail).on('exit', fail).postMessage(task);
    });
    if (answer) return answer.given;
    await this.stop();
    signal?.throwIfAborted();
    throw new ThreadLimitError('The task takes too much time or memory');
  }

  private start(): Worker {
    const worker = new Worker(this.file, { resourceLimits: this.limits.memory });
    // one that comes after its task was given up is nobody's
    worker.on('error', () => undefined).unref();
    return worker;
  }
}
