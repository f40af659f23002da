import { HttpException, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TaskThread, ThreadLimitError } from '../../common/task-thread.js';
import type { Comparison } from './compare.js';
import { DescriptionError } from './description-error.js';
import type { Described, Reply, Task, Tasks } from './tasks.js';

/** What one task may take: 20 MB of JSON or 10 MB of YAML take some seconds and 400 MB. */
const LIMITS = {
  maxTime: 30_000,
  memory: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 },
};
/** Comparisons that wait for their turn; those beyond are told to come again, after so many seconds. */
const MAX_WAITING = 8;
const RETRY_AFTER = 10;

type Thread = TaskThread<Task, Reply>;

/** Reads and compares descriptions of APIs in threads of its own. */
@Injectable()
export class Describer implements OnApplicationShutdown {
  private readonly reading = thread();
  /** Of its own: whoever asks for a comparison does not wait for what is read. */
  private readonly comparing = thread();
  private waiting = 0;

  /**
   * What the text `bytes` says, where it is a description (decision 5.47).
   * @throws DescriptionError for what is none, or takes too much time or memory; the reason of `signal`.
   */
  async read(bytes: Uint8Array, signal: AbortSignal): Promise<Described> {
    return (await run(this.reading, { kind: 'read', input: bytes }, signal)) as Described;
  }

  /**
   * What is different between two documents that {@link read} made, of which `load` answers the bytes when it is their turn.
   * @throws HttpException (503) when too many wait, or the comparison takes too much time or memory.
   */
  async compare(load: () => Promise<Tasks['compare']['input']>): Promise<Comparison> {
    if (this.waiting > MAX_WAITING) throw busy('Many comparisons are being made just now; try again in a moment');
    this.waiting += 1;
    try {
      return (await run(this.comparing, { kind: 'compare', input: await load() })) as Comparison;
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      throw busy('The comparison takes too much time just now; try again later');
    } finally {
      this.waiting -= 1;
    }
  }

  /** Ends the threads. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.reading?.stop(), this.comparing?.stop()]);
  }
}

const busy = (message: string): HttpException =>
  new HttpException({ message, headers: { 'Retry-After': String(RETRY_AFTER) } }, 503);

/** A thread, where there is the compiled code for one: it cannot be started from TypeScript. */
function thread(): Thread | undefined {
  if (import.meta.url.endsWith('.ts')) return undefined;
  return new TaskThread(new URL('./worker.js', import.meta.url), LIMITS);
}

async function run(
  beside: Thread | undefined,
  task: Task,
  signal?: AbortSignal,
): Promise<Tasks[keyof Tasks]['output']> {
  const reply = beside ? await beside.run(task, signal).catch(asReply) : await here(task);
  if ('error' in reply) throw new DescriptionError(reply.error);
  return reply.output;
}

function asReply(error: unknown): Reply {
  if (error instanceof ThreadLimitError) return { error: error.message };
  throw error;
}

async function here(task: Task): Promise<Reply> {
  const { replyTo } = await import('./tasks.js');
  return replyTo(task);
}
