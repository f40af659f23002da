import { Worker } from 'node:worker_threads';
import type { EngineOptions, RunningEngine } from './engine.js';
import type { WorkerMessage } from './worker.js';

/**
 * Memory in which new objects of the thread stand, MiB. The engine keeps few of them, so that clearing them more often costs nothing
 * that can be measured; V8 would take 48.
 */
const YOUNG = 8;

/** Starts an engine in a thread of its own: long queries then do not hold up this one. Works from compiled files only. @throws what {@link startEngine} throws */
export async function startEngineWorker(options: EngineOptions): Promise<RunningEngine> {
  const { log, ...workerData } = options;
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  });
  let stopping = false;
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', (code) => {
      resolve(new Error(`the embedded database has ended with code ${code}`));
    });
  });
  const started = new Promise<{ uri: string; port: number }>((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'log') log?.(message.line);
      else if (message.kind === 'started') resolve(message);
      else reject(new Error(message.reason));
    });
    void ended.then(reject);
  });
  const { uri, port } = await started;
  const exited = new Promise<Error>((resolve) => {
    void ended.then((reason) => {
      if (!stopping) resolve(reason);
    });
  });
  const stop = async (): Promise<void> => {
    if (!stopping) worker.postMessage('stop');
    stopping = true;
    await ended;
  };
  return { uri, port, exited, stop };
}
