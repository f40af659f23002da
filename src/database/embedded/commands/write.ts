import { isDocument, isTagged, plainNumber } from '../bson/types.js';
import { ObjectId } from 'bson';
import {
  checkDepth,
  decode,
  decodeTyped,
  encode,
  MAX_DOCUMENT_SIZE,
  sliceDocuments,
  withIdFirst,
} from '../bson/raw.js';
import { badValue, CODES, EngineError, failedToParse, typeMismatch, type Document } from '../errors.js';
import { matcherOf, openStream } from '../plan/stream.js';
import { compilePositionalFilter } from '../query/match.js';
import { compileProjection } from '../query/projection.js';
import type { Collection } from '../store/catalogue.js';
import type { Stored, Workspace } from '../store/workspace.js';
import { compileUpdate, upsertSeed, type Update } from '../update/update.js';
import { checkOptions } from './options.js';
import {
  document,
  documents,
  flag,
  namespaceOf,
  optionalDocument,
  runWrite,
  type Handler,
  type Request,
} from './request.js';

const OUT_OF_SPACE = 14031;

/** Adds documents. */
export const insert: Handler = (request) => {
  const { message } = request;
  const slices = message.sequences.get('documents') ?? sliceDocuments(message.body, 'documents');
  if (!slices) throw failedToParse("'documents' is missing");
  const namespace = namespaceOf(request);
  const prepared = slices.map((bytes) => attempt(() => prepare(bytes)));
  return runWrite(request, (workspace) => {
    const collection = workspace.obtain(namespace);
    return runStatements(request, prepared, (item) => {
      const { bytes, doc } = item();
      workspace.insert(collection, bytes, doc);
      return { n: 1 };
    });
  });
};

interface Prepared {
  bytes: Buffer;
  doc: Document;
}

// the outcome of work that is done once, although the write may run several times
function attempt<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function prepare(raw: Buffer): Prepared {
  const bytes = withIdFirst(raw, () => new ObjectId().id);
  if (bytes.length > MAX_DOCUMENT_SIZE) throw tooLarge(bytes.length);
  const doc = decode(bytes);
  checkDepth(doc);
  checkId(doc._id);
  return { bytes, doc };
}

function tooLarge(size: number): EngineError {
  return new EngineError(
    CODES.BSONObjectTooLarge,
    `object to insert too large. size in bytes: ${size}, max size: ${MAX_DOCUMENT_SIZE}`,
  );
}

function checkId(id: unknown): void {
  if (id === undefined || Array.isArray(id) || isTagged(id, 'BSONRegExp')) {
    throw new EngineError(
      CODES.InvalidIdField,
      "The '_id' value cannot be an array, a regular expression or undefined",
    );
  }
}

interface Outcome {
  n: number;
  nModified?: number;
  upserted?: unknown;
}

/** Runs the statements of a write command; in a transaction, what fails one fails all. */
function runStatements<T>(request: Request, statements: T[], run: (statement: T) => Outcome): Document {
  const reply: Document & { n: number } = { n: 0 };
  const writeErrors: Document[] = [];
  const upserted: Document[] = [];
  const ordered = request.body.ordered !== false;
  for (const [index, statement] of statements.entries()) {
    try {
      const { n, nModified, upserted: id } = run(statement);
      reply.n += n;
      if (nModified !== undefined) reply.nModified = Number(reply.nModified ?? 0) + nModified;
      if (id !== undefined) upserted.push({ index, _id: id });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === OUT_OF_SPACE || request.transaction) throw error;
      writeErrors.push({ index, code: error.code, ...error.details, errmsg: error.message });
      if (ordered) break;
    }
  }
  if (request.name === 'update') reply.nModified ??= 0;
  if (upserted.length > 0) reply.upserted = upserted;
  if (writeErrors.length > 0) reply.writeErrors = writeErrors;
  return { ...reply, ok: 1 };
}

function statementsOf(request: Request, field: string): Document[] {
  const { body, message } = request;
  return message.sequences.get(field)?.map((bytes) => decodeTyped(bytes)) ?? documents(body, field);
}

/** Changes documents. */
export const update: Handler = (request) => {
  const namespace = namespaceOf(request);
  const statements = statementsOf(request, 'updates');
  return runWrite(request, (workspace) => {
    const now = new Date();
    return runStatements(request, statements, (statement) => {
      checkOptions('update statement', statement);
      const filter = document(statement, 'q');
      const multi = flag(statement.multi);
      const change = changeOf(statement, 'u', filter, now);
      if (multi && !isOperators(statement.u))
        throw failedToParse('multi update is not supported for replacement-style update');
      const collection = workspace.find(namespace);
      const outcome = { n: 0, nModified: 0 };
      if (collection) {
        const targets = { collection, filter, limit: multi ? Infinity : 1 };
        for (const target of targetsOf(request, workspace, statement, targets)) {
          outcome.n++;
          if (change.run(workspace, collection, target).changed) outcome.nModified++;
        }
      }
      if (outcome.n > 0 || !flag(statement.upsert)) return outcome;
      return { n: 1, nModified: 0, upserted: upsert(workspace, namespace, filter, change)._id };
    });
  });
};

interface Change {
  update: Update;
  now: Date;
  /** Changes one document; answers it, and whether it differs. */
  run(workspace: Workspace, collection: Collection, old: Stored): { doc: Document; changed: boolean };
}

function changeOf(statement: Document, field: string, filter: Document, now: Date): Change {
  const arrayFilters = statement.arrayFilters === undefined ? undefined : documents(statement, 'arrayFilters');
  const update = compileUpdate(statement[field], { arrayFilters });
  const position = compilePositionalFilter(filter);
  const run: Change['run'] = (workspace, collection, old) => {
    const result = update.apply(old.doc, { arrayIndex: position(old.doc).arrayIndex, now });
    if (!result.changed) return result;
    const bytes = encode(result.doc);
    if (bytes.length > MAX_DOCUMENT_SIZE) throw tooLarge(bytes.length);
    checkDepth(result.doc);
    workspace.replace(collection, old, bytes, result.doc);
    return result;
  };
  return { update, now, run };
}

function upsert(workspace: Workspace, namespace: string, filter: Document, { update, now }: Change): Document {
  const { doc } = update.apply(upsertSeed(filter), { isInsert: true, now });
  const made = prepare(encode(doc));
  workspace.insert(workspace.obtain(namespace), made.bytes, made.doc);
  return decodeTyped(made.bytes);
}

interface Targets {
  collection: Collection;
  filter: Document;
  limit: number;
}

// all are found before the first is changed: a change may move a document in the index that is being read
function* targetsOf(
  request: Request,
  workspace: Workspace,
  { hint, sort }: Document,
  { collection, filter, limit }: Targets,
): Generator<Stored> {
  const query = { filter, hint, limit, sort: isDocument(sort) && Object.keys(sort).length > 0 ? sort : undefined };
  const stream = openStream(workspace, request.engine.writer, collection, query);
  const records: number[] = [];
  for (let found = stream.next(); found; found = stream.next()) records.push(found.record);
  for (const record of records) {
    const bytes = workspace.read(collection, record);
    if (bytes) yield { record, bytes, doc: decodeTyped(bytes) };
  }
}

/** Removes documents. */
export const remove: Handler = (request) => {
  const namespace = namespaceOf(request);
  const statements = statementsOf(request, 'deletes');
  return runWrite(request, (workspace) =>
    runStatements(request, statements, (statement) => {
      checkOptions('delete statement', statement);
      const filter = document(statement, 'q');
      const collection = workspace.find(namespace);
      if (!collection) {
        matcherOf(filter);
        return { n: 0 };
      }
      const limit = plainNumber(statement.limit) === 1 ? 1 : Infinity;
      const outcome = { n: 0 };
      for (const target of targetsOf(request, workspace, statement, { collection, filter, limit })) {
        workspace.remove(collection, target);
        outcome.n++;
      }
      return outcome;
    }),
  );
};

/** Changes or removes one document, and answers it. */
export const findAndModify: Handler = (request) => {
  const { body } = request;
  const namespace = namespaceOf(request);
  const filter = document(body, 'query');
  const project = compileProjection(optionalDocument(body, 'fields'));
  const show = (doc: Document): Document => project?.(doc) ?? doc;
  const removing = flag(body.remove);
  if (removing && (body.update !== undefined || flag(body.new) || flag(body.upsert))) {
    throw failedToParse("'remove' goes with neither 'update' nor 'new' nor 'upsert'");
  }
  if (!removing && body.update === undefined) throw failedToParse("either 'update' or 'remove' must be given");
  return runWrite(request, (workspace) => {
    const change = removing ? undefined : changeOf(body, 'update', filter, new Date());
    const collection = workspace.find(namespace);
    if (!collection) matcherOf(filter);
    const [old] = collection ? targetsOf(request, workspace, body, { collection, filter, limit: 1 }) : [];
    if (!collection || !old) {
      if (!change || !flag(body.upsert)) return answer(null, { n: 0, updatedExisting: false }, !change);
      const made = upsert(workspace, namespace, filter, change);
      const result = { n: 1, updatedExisting: false, upserted: made._id };
      return answer(flag(body.new) ? show(made) : null, result, false);
    }
    if (!change) {
      workspace.remove(collection, old);
      return answer(show(old.doc), { n: 1 }, true);
    }
    const before = flag(body.new) ? undefined : show(decodeTyped(old.bytes));
    const { doc } = change.run(workspace, collection, old);
    return answer(before ?? show(doc), { n: 1, updatedExisting: true }, false);
  });
};

function answer(value: Document | null, lastErrorObject: Document, removing: boolean): Document {
  const { updatedExisting: _, ...counts } = lastErrorObject;
  return { lastErrorObject: removing ? counts : lastErrorObject, value, ok: 1 };
}

function isOperators(update: unknown): boolean {
  if (Array.isArray(update)) return true;
  if (!isDocument(update)) throw typeMismatch('an update must be a document');
  const [first] = Object.keys(update);
  if (first === undefined) return false;
  if (first.startsWith('$')) return true;
  if (Object.keys(update).some((key) => key.startsWith('$')))
    throw badValue('an update is either a replacement or operators');
  return false;
}
