import { parentPort } from 'node:worker_threads';
import { replyTo, type Task } from './tasks.js';

parentPort?.on('message', (task: Task) => {
  const reply = replyTo(task);
  // many bytes are handed over instead of copied
  const bytes = 'output' in reply && 'document' in reply.output ? [reply.output.document, reply.output.outline] : [];
  parentPort?.postMessage(
    reply,
    bytes.map(({ buffer }) => buffer as ArrayBuffer),
  );
});
