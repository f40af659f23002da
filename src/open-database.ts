import { resolve } from 'node:path';
import { type Config, ConfigError } from './config/index.js';
import { hasDatabase, openEngine, runningEngine } from './database/index.js';

/** A database to work on, and what to do when the work is over. */
export interface OpenDatabase {
  uri: string;
  /** Rejects, once, if the embedded engine dies by itself. */
  failed?: Promise<Error>;
  close(): Promise<void>;
}

/** Opens the database that `config` names; on the embedded default that starts the engine. */
export async function openDatabase(config: Config, log?: (message: string) => void): Promise<OpenDatabase> {
  if (config.MONGODB_URI !== undefined) return { uri: config.MONGODB_URI, close: () => Promise.resolve() };
  const settings = { maxBytes: config.DATABASE_MAX_BYTES, ...(log && { log }) };
  const engine = await openEngine(config.DATA_DIR, settings).catch((error: unknown) => {
    throw new ConfigError(`DATA_DIR cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  });
  return { uri: engine.uri, failed: engine.exited, close: () => engine.stop() };
}

/**
 * As {@link openDatabase}, but joins the engine of a service that already runs on the same folder, and makes no new database unless it
 * may `begin` one.
 */
export async function joinDatabase(config: Config, { begin }: { begin: boolean }): Promise<OpenDatabase> {
  if (config.embedded && !begin && !hasDatabase(config.DATA_DIR)) {
    const where = resolve(config.DATA_DIR);
    throw new ConfigError(
      `There is no database in ${where}: give the command the DATA_DIR or MONGODB_URI of the service`,
    );
  }
  const uri = config.embedded ? await runningEngine(config.DATA_DIR) : undefined;
  return uri === undefined ? openDatabase(config) : { uri, close: () => Promise.resolve() };
}
