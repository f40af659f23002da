import { parentPort, workerData } from 'node:worker_threads';
import { type Desk, type Plan, TooLargeError } from './job.js';
import { type LaidOut, layOut } from './lay-out.js';

/** What the thread asks for. It asks one question at a time. */
export type Question = { [K in keyof Desk]: { ask: K; given: Parameters<Desk[K]> } }[keyof Desk];
/** What the thread says: a question, or how it ended. */
export type Message = Question | { done: LaidOut } | { failed: string; isTooLarge: boolean };

/** Asks the service for everything: the thread itself reaches nothing. */
const desk: Desk = {
  text: (...given) => ask({ ask: 'text', given }) as ReturnType<Desk['text']>,
  targets: (...given) => ask({ ask: 'targets', given }) as ReturnType<Desk['targets']>,
  image: (...given) => ask({ ask: 'image', given }) as ReturnType<Desk['image']>,
  write: (...given) => ask({ ask: 'write', given }) as ReturnType<Desk['write']>,
};

function ask(question: Question): Promise<unknown> {
  return new Promise((resolve) => {
    parentPort?.once('message', resolve);
    parentPort?.postMessage(question);
  });
}

async function run(): Promise<Message> {
  try {
    return { done: await layOut(workerData as Plan, desk) };
  } catch (error) {
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    return { failed: stack ?? message, isTooLarge: error instanceof TooLargeError };
  }
}

parentPort?.postMessage(await run());
