import { Worker } from 'node:worker_threads';
import { type Desk, type Plan, TooLargeError } from './layout/job.js';
import type { LaidOut } from './layout/lay-out.js';
import type { Message, Question } from './layout/worker.js';

/** Time for one PDF, ms. */
const MAX_TIME = 180_000;
const MEMORY = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 48, stackSizeMb: 8 };

/** The layout took more time or memory than it may. */
export class LayoutLimitError extends Error {
  override readonly name = 'LayoutLimitError';
}

/**
 * Lays out a PDF in a thread of its own, which ends with it, or as soon as `signal` says so.
 *
 * @param file The compiled code of the thread.
 * @param maxTime Time that it has, ms.
 *
 * @throws TooLargeError, LayoutLimitError, what `desk` throws, or the reason of `signal`.
 */
export async function layOutBeside(
  file: URL,
  plan: Plan,
  desk: Desk,
  signal: AbortSignal,
  maxTime = MAX_TIME,
): Promise<LaidOut> {
  signal.throwIfAborted();
  const worker = new Worker(file, { workerData: plan, resourceLimits: MEMORY });
  try {
    return await ending(worker, desk, { signal, maxTime });
  } finally {
    await worker.terminate();
  }
}

function ending(
  worker: Worker,
  desk: Desk,
  { signal, maxTime }: { signal: AbortSignal; maxTime: number },
): Promise<LaidOut> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(new LayoutLimitError('The layout takes too much time or memory'));
    };
    const clock = setTimeout(giveUp, maxTime);
    const leave = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    worker.once('exit', () => {
      clearTimeout(clock);
      signal.removeEventListener('abort', leave);
      giveUp();
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') giveUp();
      else reject(error);
    });
    worker.on('message', (message: Message) => {
      if ('done' in message) resolve(message.done);
      else if ('failed' in message) reject(message.isTooLarge ? new TooLargeError() : new Error(message.failed));
      else
        answer(message, desk).then((given) => {
          worker.postMessage(given);
        }, reject);
    });
  });
}

async function answer(question: Question, desk: Desk): Promise<unknown> {
  switch (question.ask) {
    case 'text':
      return desk.text(...question.given);
    case 'targets':
      return desk.targets(...question.given);
    case 'image':
      return desk.image(...question.given);
    case 'write':
      return desk.write(...question.given);
  }
}
