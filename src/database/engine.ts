import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { findEngine, type RunningEngine, startEngine, startEngineWorker } from './embedded/index.js';

/** Where the engine keeps its files below DATA_DIR. */
const FOLDER = 'database';

/**
 * Starts the embedded engine on the folder `dataDir`, in a worker thread where the code is compiled, else in this
 * thread (a worker cannot be started from TypeScript).
 *
 * @param log Is told in a sentence what the engine has to say.
 * @throws when another process holds the folder; the message names it.
 */
export async function openEngine(dataDir: string, log?: (message: string) => void): Promise<RunningEngine> {
  const path = resolve(dataDir, FOLDER);
  mkdirSync(path, { recursive: true });
  const start = import.meta.url.endsWith('.ts') ? startEngine : startEngineWorker;
  return start({ path, port: 0, durability: 'flush', ...(log && { log }) });
}

/** The address of the engine that runs on `dataDir` at this moment, in whatever process. */
export async function runningEngine(dataDir: string): Promise<string | undefined> {
  return findEngine(resolve(dataDir, FOLDER));
}
