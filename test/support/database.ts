import type { DynamicModule, Type } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { Test, type TestingModule } from '@nestjs/testing';
import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { DatabaseModule, migrate } from '../../src/database/index.js';
import { startTestEngine, type TestEngine } from './embedded-engine.js';

/** An embedded engine for one test file, with as many connections to it as there are processes to play. */
export interface TestDatabase {
  engine: TestEngine;
  /** A bare connection, to a database of that name; as the service has it, but for `options`. */
  connect(name: string, options?: ConnectOptions): Promise<Connection>;
  /** Modules as one process runs them: connected, initialized, with nothing in memory; the indexes are built. */
  boot(...imports: (Type | DynamicModule)[]): Promise<TestingModule>;
  /** Makes the next commands fail, as MongoDB's `failCommand` does; `off` ends it. */
  fail(mode: 'off' | 'alwaysOn' | { times: number; skip?: number }, data?: Record<string, unknown>): Promise<void>;
  /** Closes all that was opened, and removes the files. */
  stop(): Promise<void>;
}

/** Starts an engine that does not wait for the disk. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const engine = await startTestEngine();
  const open: { close(): Promise<void> }[] = [];
  return {
    engine,
    async connect(name, options = {}) {
      const own = { dbName: name, autoIndex: false, autoCreate: false, maxAdaptiveRetries: 0, ...options };
      const connection = await mongoose.createConnection(engine.engine.uri, own).asPromise();
      open.push(connection);
      return connection;
    },
    async boot(...imports) {
      const database = DatabaseModule.of(engine.engine.uri, { monitorCommands: true });
      const app = await Test.createTestingModule({ imports: [database, ...imports] }).compile();
      app.useLogger(false);
      await app.init();
      open.push(app);
      await migrate(app.get<Connection>(getConnectionToken()));
      return app;
    },
    async fail(mode, data = {}) {
      await engine.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
    },
    async stop() {
      for (const one of open.reverse()) await one.close();
      await engine.stop();
    },
  };
}
