import { isDocument, plainNumber } from '../bson/types.js';
import { badValue, CODES, EngineError, typeMismatch, type Document } from '../errors.js';
import type { Cursors } from '../plan/cursors.js';
import type { Catalogue } from '../store/catalogue.js';
import type { Direct } from '../store/direct.js';
import type { Environment } from '../store/environment.js';
import type { Workspace } from '../store/workspace.js';
import type { Writer } from '../store/writer.js';
import type { Session, Sessions } from '../txn/sessions.js';
import type { Transaction } from '../txn/transaction.js';
import type { View } from '../txn/view.js';
import type { Message, Reply } from '../wire/message.js';
import type { Connection } from '../wire/server.js';

/** The parts of a running engine. */
export interface Engine {
  environment: Environment;
  catalogue: Catalogue;
  writer: Writer;
  direct: Direct;
  sessions: Sessions;
  cursors: Cursors;
  /** How often each command was sent, by its name in lower case. */
  sent: Map<string, number>;
  /** Where it listens: host and port. */
  address: () => string;
  /** Identifies this run of it, in 12 bytes. */
  runId: Buffer;
}

/** One command on its way to its handler. */
export interface Request {
  engine: Engine;
  connection: Connection;
  message: Message;
  /** The command's name, in lower case. */
  name: string;
  body: Document;
  database: string;
  session: Session | undefined;
  transaction: Transaction | undefined;
  /** The moment that it reads, in a session of snapshot reads. */
  view: View | undefined;
  /** What it reads from and writes to. */
  workspace: Workspace;
}

/** Answers one command. @throws EngineError */
export type Handler = (request: Request) => Reply | Promise<Reply>;

/** The namespace of the collection that a command names as its first value. @throws EngineError 73 */
export function namespaceOf({ database, body, name }: Request, value: unknown = Object.values(body)[0]): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) {
    throw new EngineError(CODES.InvalidNamespace, `collection name for '${name}' must be a string that is not empty`);
  }
  return `${database}.${value}`;
}

/** Runs a write: at once in a transaction, otherwise together with others in one durable commit. */
export function runWrite<T extends Document>(request: Request, work: (workspace: Workspace) => T): T | Promise<T> {
  const { transaction, engine, body } = request;
  if (transaction) return work(transaction);
  const limit = optionalNumber(body, 'maxTimeMS');
  return engine.writer.submit(() => work(engine.direct), limit ? Date.now() + limit : Infinity);
}

/** A document among the command's arguments; empty when absent. @throws EngineError 14 */
export function document(body: Document, field: string): Document {
  const value = body[field] ?? {};
  if (!isDocument(value)) throw typeMismatch(`'${field}' must be a document`);
  return value;
}

/** A document among the command's arguments; `undefined` when it is absent or empty. @throws EngineError 14 */
export function optionalDocument(body: Document, field: string): Document | undefined {
  const value = document(body, field);
  return Object.keys(value).length === 0 ? undefined : value;
}

/** A whole number among the command's arguments, not below 0. @throws EngineError 14 or 2 */
export function optionalNumber(body: Document, field: string): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  const number = plainNumber(value);
  if (number === undefined) throw typeMismatch(`'${field}' must be a number`);
  if (!(number >= 0)) throw badValue(`'${field}' must not be negative`);
  return Math.floor(number);
}

/** Whether a value counts as true: booleans, and numbers other than 0. */
export function flag(value: unknown): boolean {
  return value === true || (plainNumber(value) ?? 0) !== 0;
}

/** A list of documents among the arguments. @throws EngineError 14 */
export function documents(body: Document, field: string): Document[] {
  const value = body[field];
  if (!Array.isArray(value) || !value.every(isDocument)) throw typeMismatch(`'${field}' must be an array of documents`);
  return value;
}
