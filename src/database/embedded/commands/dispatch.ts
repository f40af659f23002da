import { isDocument, plainNumber } from '../bson/types.js';
import { decode, decodeTyped } from '../bson/raw.js';
import { badValue, CODES, EngineError, unsupported, type Document } from '../errors.js';
import type { Message, Reply } from '../wire/message.js';
import type { Connection, Service } from '../wire/server.js';
import { FailPoint } from './fail-point.js';
import { checkOptions } from './options.js';
import * as read from './read.js';
import { flag, type Engine, type Handler, type Request } from './request.js';
import * as schema from './schema.js';
import * as server from './server.js';
import * as write from './write.js';

const HANDLERS = new Map<string, Handler>(
  Object.entries({
    hello: server.hello,
    ismaster: server.hello,
    ping: server.ping,
    buildinfo: server.buildInfo,
    serverstatus: server.serverStatus,
    connectionstatus: server.connectionStatus,
    saslstart: server.saslStart,
    endsessions: server.endSessions,
    killsessions: server.endSessions,
    refreshsessions: server.refreshSessions,
    committransaction: server.commitTransaction,
    aborttransaction: server.abortTransaction,
    find: read.find,
    getmore: read.getMore,
    killcursors: read.killCursors,
    aggregate: read.aggregate,
    count: read.count,
    distinct: read.distinct,
    explain: read.explain,
    insert: write.insert,
    update: write.update,
    delete: write.remove,
    findandmodify: write.findAndModify,
    create: schema.create,
    drop: schema.drop,
    dropdatabase: schema.dropDatabase,
    listcollections: schema.listCollections,
    listdatabases: schema.listDatabases,
    dbstats: schema.dbStats,
    collstats: schema.collStats,
    createindexes: schema.createIndexes,
    dropindexes: schema.dropIndexes,
    listindexes: schema.listIndexes,
  }),
);
const TYPED = new Set(['update', 'findandmodify', 'delete']);
const RETRYABLE = new Set(['insert', 'update', 'delete', 'findandmodify']);
const SNAPSHOT_READS = new Set(['find', 'aggregate', 'distinct']);
const OF_CURSORS = new Set(['getmore', 'killcursors']);
const OUTSIDE = new Set([
  'committransaction',
  'aborttransaction',
  'killcursors',
  'endsessions',
  'hello',
  'ismaster',
  'ping',
]);

/** Finds the handler of each command, its session and its transaction; turns what is thrown into replies. */
export class Dispatcher implements Service {
  readonly #failPoint: FailPoint | undefined;
  readonly #clients = new Map<string, number>();

  constructor(
    readonly engine: Engine,
    testCommands: boolean,
  ) {
    if (testCommands) this.#failPoint = new FailPoint();
  }

  answer(message: Message, connection: Connection): Reply | Promise<Reply> {
    try {
      const reply = this.#run(message, connection);
      return reply instanceof Promise ? reply.catch((error: unknown) => this.failure(error)) : reply;
    } catch (error) {
      return this.failure(error);
    }
  }

  failure(error: unknown): Reply {
    return server.failureOf(error);
  }

  closed({ client }: Connection): void {
    const left = (this.#clients.get(client) ?? 1) - 1;
    if (left > 0) this.#clients.set(client, left);
    else {
      this.#clients.delete(client);
      if (client !== '') this.engine.sessions.clientGone(client);
    }
  }

  #run(message: Message, connection: Connection): Reply | Promise<Reply> {
    const sent = this.#request(message, connection);
    const { name, body } = sent;
    if (this.#failPoint && name === 'configurefailpoint') return this.#failPoint.configure(body);
    const strike = this.#failPoint?.strike(sent);
    if (!strike) return this.#perform(sent);
    if (strike === 'close') {
      connection.close();
      return {};
    }
    const reply = this.#perform(sent);
    return reply instanceof Promise
      ? reply.then((done) => ({ ...done, writeConcernError: strike }))
      : { ...reply, writeConcernError: strike };
  }

  #perform(sent: Request): Reply | Promise<Reply> {
    const { name, body, connection } = sent;
    const handler = HANDLERS.get(name);
    if (!handler) throw new EngineError(CODES.CommandNotFound, `no such command: '${Object.keys(body)[0] ?? ''}'`);
    this.engine.sent.set(name, (this.engine.sent.get(name) ?? 0) + 1);
    checkOptions(name, body);
    if (body.autocommit === false && !OUTSIDE.has(name)) return this.#runInTransaction(sent, handler);
    const request = this.#atMoment(sent);
    const number = plainNumber(body.txnNumber);
    if (request.session && number !== undefined && RETRYABLE.has(name)) {
      return this.engine.sessions.once(request.session, number, async () => (await handler(request)) as Document);
    }
    const { client } = connection;
    const reply = handler(request);
    if (connection.client !== client)
      this.#clients.set(connection.client, (this.#clients.get(connection.client) ?? 0) + 1);
    return reply;
  }

  #request(message: Message, connection: Connection): Request {
    const name = commandName(message.body);
    const body = TYPED.has(name) ? decodeTyped(message.body) : decode(message.body);
    const database = message.legacyDatabase ?? body.$db;
    if (typeof database !== 'string' || database === '') throw badValue("'$db' must name a database");
    const { engine } = this;
    const id = server.sessionId(body.lsid);
    const session = id === undefined ? undefined : engine.sessions.get(id, connection.client);
    return {
      engine,
      connection,
      message,
      name,
      body,
      database,
      session,
      transaction: undefined,
      view: undefined,
      workspace: engine.direct,
    };
  }

  /** The request as it reads in a session whose reads are all of one moment; in others, as it is. @throws EngineError 72 or 246 */
  #atMoment(request: Request): Request {
    const { name, body, session } = request;
    const { readConcern } = body;
    // the driver says it with every command of such a session; a cursor has its view already
    if (!isDocument(readConcern) || readConcern.level !== 'snapshot' || OF_CURSORS.has(name)) return request;
    if (!SNAPSHOT_READS.has(name)) throw new EngineError(CODES.InvalidOptions, `${name} cannot read a snapshot`);
    if (!session) throw new EngineError(CODES.InvalidOptions, 'reading a snapshot needs a session');
    const view = this.engine.sessions.view(session, readConcern.atClusterTime);
    return { ...request, view, workspace: view };
  }

  #runInTransaction(request: Request, handler: Handler): Reply | Promise<Reply> {
    const { session, body, name } = request;
    const number = plainNumber(body.txnNumber);
    if (!session || number === undefined) throw badValue('a transaction needs a session and a txnNumber');
    const { sessions, cursors } = this.engine;
    const start = flag(body.startTransaction);
    const transaction = sessions.enter(session, number, start);
    if (start)
      transaction.onEnd(() => {
        cursors.killOwned(transaction);
      });
    try {
      if (name === 'explain') throw unsupported('explain in a transaction');
      return handler({ ...request, transaction, workspace: transaction });
    } catch (error) {
      transaction.end();
      throw error;
    }
  }
}

function commandName(body: Buffer): string {
  const end = body.indexOf(0, 5);
  return end < 0 ? '' : body.toString('utf8', 5, end).toLowerCase();
}
