import type { EngineOptions, RunningEngine } from './engine.js';

export type { EngineOptions, RunningEngine } from './engine.js';
export { startEngineWorker } from './worker-host.js';
export { findEngine } from './store/lock.js';

/**
 * Starts an engine in this thread, and reads it first: a process whose engine has a thread of its own, or that uses the one of
 * another process, has no need of it.
 *
 * @throws Error when another one has the folder, or the port is taken.
 */
export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  const engine = await import('./engine.js');
  return engine.startEngine(options);
}
