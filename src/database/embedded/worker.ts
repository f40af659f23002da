import { parentPort, workerData } from 'node:worker_threads';
import { startEngine, type EngineOptions } from './engine.js';

/** What the engine's thread tells the one that started it. */
export type WorkerMessage =
  { kind: 'started'; uri: string; port: number } | { kind: 'failed'; reason: string } | { kind: 'log'; line: string };

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

async function run(): Promise<void> {
  const log = (line: string): void => {
    tell({ kind: 'log', line });
  };
  const engine = await startEngine({ ...(workerData as EngineOptions), log });
  parentPort?.once('message', () => {
    void engine.stop().then(() => parentPort?.close());
  });
  tell({ kind: 'started', uri: engine.uri, port: engine.port });
}

run().catch((error: unknown) => {
  tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  parentPort?.close();
});
