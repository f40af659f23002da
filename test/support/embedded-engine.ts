import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { startEngine, type EngineOptions, type RunningEngine } from '../../src/database/embedded/engine.js';

/** An engine on a folder of its own, and a client of it. */
export interface TestEngine {
  path: string;
  engine: RunningEngine;
  client: MongoClient;
  /** A database that no other test of this engine has. */
  db: Db;
  stop(): Promise<void>;
}

/** Starts an engine that does not wait for the disk, in a temporary folder that `stop` removes. */
export async function startTestEngine(
  options: Partial<EngineOptions> = {},
  clientOptions: MongoClientOptions = {},
): Promise<TestEngine> {
  const path = options.path ?? (await mkdtemp(join(tmpdir(), 'embedded-')));
  const engine = await startEngine({ durability: 'none', testCommands: true, ...options, path });
  const client = new MongoClient(engine.uri, { serverSelectionTimeoutMS: 5000, ...clientOptions });
  const stop = async (): Promise<void> => {
    await client.close();
    await engine.stop();
    await rm(path, { recursive: true, force: true });
  };
  return { path, engine, client, db: client.db('test'), stop };
}
