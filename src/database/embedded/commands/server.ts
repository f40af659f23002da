import { isTagged, plainNumber } from '../bson/types.js';
import { ObjectId } from 'bson';
import { CODES, EngineError, type Document } from '../errors.js';
import { MAX_DOCUMENT_SIZE } from '../bson/raw.js';
import { MAX_MESSAGE_SIZE } from '../wire/message.js';
import { type Handler, type Request } from './request.js';

const VERSION = '7.0.0';
const VERSION_ARRAY = [7, 0, 0, 0];
// 21 is MongoDB 7.0; from 25 on drivers expect the bulkWrite command
const WIRE_VERSION = 21;

/** Introduces the engine: as the one member of a replica set, so that drivers use retryable writes and transactions. */
export const hello: Handler = ({ engine, connection, body, name }) => {
  if (typeof body.client === 'object' && body.client !== null) connection.client = JSON.stringify(body.client);
  const address = engine.address();
  return {
    helloOk: true,
    [name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
    secondary: false,
    setName: 'rs0',
    setVersion: 1,
    electionId: new ObjectId(engine.runId),
    hosts: [address],
    primary: address,
    me: address,
    maxBsonObjectSize: MAX_DOCUMENT_SIZE,
    maxMessageSizeBytes: MAX_MESSAGE_SIZE,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    localTime: new Date(),
    connectionId: connection.id,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ok: 1,
  };
};

/** Answers that it is there. */
export const ping: Handler = () => ({ ok: 1 });

/** The version of MongoDB whose behaviour it follows. */
export const buildInfo: Handler = () => ({
  version: VERSION,
  versionArray: VERSION_ARRAY,
  gitVersion: 'embedded',
  modules: [],
  bits: 64,
  maxBsonObjectSize: MAX_DOCUMENT_SIZE,
  ok: 1,
});

/** The state of the engine; commands are counted by their names in lower case. */
export const serverStatus: Handler = ({ engine }) => ({
  host: engine.address(),
  version: VERSION,
  process: 'embedded',
  pid: process.pid,
  uptime: Math.floor(process.uptime()),
  localTime: new Date(),
  mem: { resident: Math.round(process.memoryUsage.rss() / 1_048_576) },
  metrics: { commands: Object.fromEntries([...engine.sent].map(([name, total]) => [name, { total }])) },
  ok: 1,
});

/** Who the caller is: nobody, for there are no users. */
export const connectionStatus: Handler = () => ({
  authInfo: { authenticatedUsers: [], authenticatedUserRoles: [], authenticatedUserPrivileges: [] },
  ok: 1,
});

/** Refuses credentials. */
export const saslStart: Handler = () => {
  const message = 'the embedded database has no users: leave the credentials out of its address';
  throw new EngineError(CODES.CommandNotFound, message);
};

/** Ends sessions, with their transactions and cursors. */
export const endSessions: Handler = ({ engine, body }) => {
  engine.sessions.end(sessionIds(Object.values(body)[0]));
  return { ok: 1 };
};

/** Keeps sessions alive. */
export const refreshSessions: Handler = ({ engine, body, connection }) => {
  for (const id of sessionIds(Object.values(body)[0])) engine.sessions.get(id, connection.client);
  return { ok: 1 };
};

function sessionIds(list: unknown): string[] {
  return Array.isArray(list) ? list.map(sessionId).filter((id) => id !== undefined) : [];
}

/** The id of a session as a text; `undefined` for what is none. */
export function sessionId(lsid: unknown): string | undefined {
  const id = (lsid as { id?: unknown } | null | undefined)?.id;
  return isTagged(id, 'Binary') ? Buffer.from(id.buffer.subarray(0, id.position)).toString('latin1') : undefined;
}

function ownTransaction({ session, body }: Request): { session: NonNullable<Request['session']>; number: number } {
  const number = plainNumber(body.txnNumber);
  if (!session || number === undefined) {
    throw new EngineError(CODES.InvalidOptions, 'a transaction needs a session and a txnNumber');
  }
  return { session, number };
}

/** Makes the changes of a transaction lasting. */
export const commitTransaction: Handler = async (request) => {
  const { session, number } = ownTransaction(request);
  await request.engine.sessions.commit(session, number);
  return { ok: 1 };
};

/** Drops the changes of a transaction. */
export const abortTransaction: Handler = (request) => {
  const { session, number } = ownTransaction(request);
  request.engine.sessions.enter(session, number, false);
  request.engine.sessions.abort(session);
  return { ok: 1 };
};

/** What failed, in the form of a reply. */
export function failureOf(error: unknown): Document {
  if (error instanceof EngineError) {
    const { code, codeName, details, labels, message } = error;
    return {
      ok: 0,
      errmsg: message,
      code,
      codeName,
      ...details,
      ...(labels.length > 0 ? { errorLabels: labels } : {}),
    };
  }
  // of recursion only documents can be the cause that are nested too deeply
  const overflow = error instanceof RangeError;
  const code = overflow ? CODES.Overflow : CODES.InternalError;
  const errmsg = overflow ? 'a document or expression is nested too deeply' : String(error);
  return { ok: 0, errmsg, code, codeName: overflow ? 'Overflow' : 'InternalError' };
}
