import { parentPort } from 'node:worker_threads';
import { ConversionError } from './conversion-error.js';
import { doJob, type Job, type Jobs } from './jobs.js';

/** What the thread answers: the result of a job, or why there is none. */
export type Reply = { output: Jobs[keyof Jobs]['output'] } | { error: string };

async function replyTo(job: Job): Promise<Reply> {
  try {
    return { output: await doJob(job) };
  } catch (error) {
    // whatever else it is, such as too deep a nesting, comes of the input: nothing else is here
    return { error: error instanceof ConversionError ? error.message : 'cannot be read' };
  }
}

parentPort?.on('message', (job: Job) => {
  void replyTo(job).then((reply) => parentPort?.postMessage(reply));
});
