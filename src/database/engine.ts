import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  findEngine,
  type EngineOptions,
  type RunningEngine,
  startEngine,
  startEngineWorker,
} from './embedded/index.js';

/** Where the engine keeps its files below DATA_DIR. */
const FOLDER = 'database';

/** How an engine is started, where that is not as usual. */
export interface EngineSettings {
  /** TCP port on the loopback address; 0, the default, takes any free one. */
  port?: number;
  /** Largest size of the data in bytes; 0, the default, for no limit. */
  maxBytes?: number;
  /** Is told in a sentence what the engine has to say. */
  log?: (message: string) => void;
}

/**
 * Starts the embedded engine on the folder `dataDir`, in a worker thread where the code is compiled, else in this
 * thread (a worker cannot be started from TypeScript).
 *
 * @throws when another process holds the folder; the message names it.
 */
export async function openEngine(dataDir: string, settings: EngineSettings = {}): Promise<RunningEngine> {
  const start = import.meta.url.endsWith('.ts') ? startEngine : startEngineWorker;
  return start(optionsOf(dataDir, settings));
}

/**
 * Starts the embedded engine on the folder `dataDir` in this thread, for a process that does nothing else.
 *
 * @throws when another process holds the folder; the message names it. With the code `EADDRINUSE` when the port is taken.
 */
export async function runEngine(dataDir: string, settings: EngineSettings = {}): Promise<RunningEngine> {
  return startEngine(optionsOf(dataDir, settings));
}

/** Whether an engine has ever had its data in `dataDir`. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(resolve(dataDir, FOLDER, 'data.mdb'));
}

/** The address of the engine that runs on `dataDir` at this moment, in whatever process. */
export async function runningEngine(dataDir: string): Promise<string | undefined> {
  return findEngine(resolve(dataDir, FOLDER));
}

function optionsOf(dataDir: string, { port = 0, maxBytes = 0, log }: EngineSettings): EngineOptions {
  const path = resolve(dataDir, FOLDER);
  mkdirSync(path, { recursive: true });
  return { path, port, durability: 'flush', ...(maxBytes > 0 && { mapSizeLimit: maxBytes }), ...(log && { log }) };
}
