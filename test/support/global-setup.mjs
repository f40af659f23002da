import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * One database for the whole run: the embedded engine out of the build (its worker cannot be started from TypeScript),
 * or the server that TEST_DATABASE_URI names. Every test file has a database of its own in it.
 */
export default async function setup() {
  if (process.env.TEST_DATABASE_URI) return;
  const { startEngineWorker } = await import('../../dist/database/embedded/index.js');
  const path = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const engine = await startEngineWorker({ path, port: 0, durability: 'none', testCommands: true });
  process.env.TEST_DATABASE_URI = engine.uri;
  globalThis.__colophonEngine = { engine, path };
}
