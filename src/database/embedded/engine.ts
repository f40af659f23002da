import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Dispatcher } from './commands/dispatch.js';
import type { Engine } from './commands/request.js';
import { Cursors } from './plan/cursors.js';
import { Catalogue } from './store/catalogue.js';
import { Direct } from './store/direct.js';
import { Environment, type Durability } from './store/environment.js';
import { expireDocuments } from './store/expiry.js';
import { checkFolder, lockFolder } from './store/lock.js';
import { Writer } from './store/writer.js';
import { Sessions } from './txn/sessions.js';
import { WireServer } from './wire/server.js';

/** How an engine is started. */
export interface EngineOptions {
  /** Folder of the data; made when it is missing. Used by one engine at a time. */
  path: string;
  /** TCP port on the loopback address; 0, the default, takes any free one. */
  port?: number;
  /** What a write's reply waits for: `flush` (the default) survives a power cut, `commit` a crash of the process, `none` neither for certain. */
  durability?: Durability;
  /** Largest size of the data in bytes; writes beyond it fail. */
  mapSizeLimit?: number;
  /** Whether `configureFailPoint` is answered. */
  testCommands?: boolean;
  /** Receives what happens, a line each. */
  log?: (line: string) => void;
}

/** A running engine. */
export interface RunningEngine {
  /** Its address for drivers, without a database name. */
  uri: string;
  port: number;
  /** Settles when it ends without having been stopped: with the reason. */
  exited: Promise<Error>;
  /** Finishes running writes, breaks the connections, closes the files. */
  stop(): Promise<void>;
}

const SWEEP_INTERVAL = 1000;
const EXPIRY_INTERVAL = 60_000;

/** Starts an engine in this thread. @throws Error when another one has the folder, or the port is taken. */
export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  await mkdir(options.path, { recursive: true });
  // before the port is tried: that would only say that it is taken
  await checkFolder(options.path);
  const runId = newRunId();
  let dispatcher: Dispatcher | undefined;
  const server = new WireServer({
    answer: (message, connection) =>
      dispatcher?.answer(message, connection) ?? { ok: 0, errmsg: 'starting', code: 11600 },
    failure: (error) => dispatcher?.failure(error) ?? { ok: 0 },
    closed: (connection) => dispatcher?.closed(connection),
  });
  const port = await server.listen(options.port ?? 0);
  const address = `127.0.0.1:${port}`;
  const uri = `mongodb://${address}/?replicaSet=rs0`;
  let unlock: (() => Promise<void>) | undefined;
  try {
    unlock = await lockFolder(options.path, uri, runId);
    const engine = open(options, () => address, runId);
    dispatcher = new Dispatcher(engine, options.testCommands === true);
    options.log?.(`embedded database listens at ${address}, data in ${options.path}`);
    return { uri, port, exited: new Promise<Error>(() => undefined), stop: stopper(engine, server, unlock) };
  } catch (error) {
    await server.close();
    await unlock?.();
    throw error;
  }
}

/** 12 bytes that begin with the time: drivers turn away from a server whose run they take for an older one. */
function newRunId(): Buffer {
  const runId = randomBytes(12);
  runId.writeUIntBE(Date.now(), 0, 6);
  return runId;
}

function open(options: EngineOptions, address: () => string, runId: Buffer): Engine {
  const environment = new Environment(options.path, options.durability ?? 'flush', options.mapSizeLimit);
  const catalogue = new Catalogue(environment);
  const writer = new Writer(environment, catalogue);
  const direct = new Direct(writer);
  const cursors = new Cursors();
  const endCursors = cursors.killOwned.bind(cursors);
  return {
    environment,
    catalogue,
    writer,
    direct,
    sessions: new Sessions(direct, endCursors),
    cursors,
    sent: new Map(),
    address,
    runId,
  };
}

function stopper(engine: Engine, server: WireServer, unlock: () => Promise<void>): () => Promise<void> {
  const sweeper = setInterval(() => {
    const now = Date.now();
    engine.sessions.sweep(now);
    engine.cursors.sweep(now);
  }, SWEEP_INTERVAL).unref();
  const expiry = setInterval(() => {
    expireDocuments(engine.writer, engine.direct);
  }, EXPIRY_INTERVAL).unref();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(sweeper);
    clearInterval(expiry);
    engine.writer.close();
    await server.close();
    engine.sessions.close();
    await engine.environment.close();
    await unlock();
  };
  return () => (stopped ??= stop());
}
