import { isDocument, plainNumber } from '../bson/types.js';
import { decode, decodeTyped, encode, Fields, MAX_DOCUMENT_SIZE } from '../bson/raw.js';
import { valueKey } from '../bson/compare.js';
import { badValue, CODES, EngineError, failedToParse, type Document } from '../errors.js';
import { parsePipeline, type ParsedPipeline } from '../aggregate/pipeline.js';
import type { Documents } from '../plan/cursors.js';
import { matcherOf, openStream, type Query, type Stream } from '../plan/stream.js';
import { compileProjection } from '../query/projection.js';
import { compileSort } from '../query/sort.js';
import { splitPath, visitPath } from '../query/paths.js';
import { CursorBatch } from '../wire/message.js';
import {
  document,
  flag,
  namespaceOf,
  optionalDocument,
  optionalNumber,
  type Handler,
  type Request,
} from './request.js';

const EMPTY: Stream = { next: () => undefined };

/** The documents of a query, on a collection that may not exist; also then the query is checked. */
export function streamOf(request: Request, namespace: string, query: Query): Stream {
  const { workspace, engine } = request;
  const collection = workspace.find(namespace);
  if (collection) return openStream(workspace, engine.writer, collection, query);
  matcherOf(query.filter);
  if (query.sort) compileSort(query.sort);
  return EMPTY;
}

function queryOf(body: Document, filterField: string): Query {
  const limit = optionalNumber(body, 'limit');
  return {
    filter: document(body, filterField),
    sort: optionalDocument(body, 'sort'),
    hint: isDocument(body.hint) && Object.keys(body.hint).length === 0 ? undefined : body.hint,
    skip: optionalNumber(body, 'skip'),
    limit: limit === 0 ? undefined : limit,
  };
}

/** Finds documents. */
export const find: Handler = (request) => {
  const { body } = request;
  const namespace = namespaceOf(request);
  const project = projectorOf(optionalDocument(body, 'projection'));
  const stream = streamOf(request, namespace, queryOf(body, 'filter'));
  const documents = (): Buffer | undefined => {
    const bytes = stream.next()?.bytes;
    return bytes && project ? project(bytes) : bytes;
  };
  return openCursor(request, namespace, documents, body);
};

/** What a projection makes of a document's bytes. Whole top-level fields are cut out of them without decoding. */
function projectorOf(projection: Document | undefined): ((bytes: Buffer) => Buffer) | undefined {
  const project = compileProjection(projection);
  if (!project || !projection) return undefined;
  const { _id: id, ...others } = projection;
  const values = Object.values(others);
  const plain = Object.keys(others).every((path) => !path.includes('.')) && [...values, id ?? 1].every(isSwitch);
  const included = values.filter(flag).length;
  if (plain && values.length > 0 && included === values.length) {
    const fields = new Fields([...Object.keys(others), ...(id === undefined || flag(id) ? ['_id'] : [])]);
    return (bytes) => fields.splice(bytes, true);
  }
  if (plain && included === 0 && (id === undefined || !flag(id))) {
    const fields = new Fields(Object.keys(projection));
    return (bytes) => fields.splice(bytes, false);
  }
  return (bytes) => encode(project(decodeTyped(bytes)));
}

function isSwitch(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'number';
}

function openCursor(request: Request, namespace: string, documents: Documents, options: Document): CursorBatch {
  const { engine, session, transaction, view } = request;
  const { id, documents: batch } = engine.cursors.open(namespace, documents, {
    batchSize: optionalNumber(options, 'batchSize'),
    single: flag(options.singleBatch),
    owner: transaction ?? view ?? session,
  });
  return new CursorBatch('firstBatch', id, namespace, batch, view?.time);
}

/** A cursor over documents that are at hand. */
export function cursorOver(request: Request, namespace: string, results: Document[], options: Document): CursorBatch {
  let at = 0;
  const documents = (): Buffer | undefined => {
    const doc = results[at++];
    if (!doc) return undefined;
    const bytes = encode(doc);
    if (bytes.length > MAX_DOCUMENT_SIZE)
      throw new EngineError(CODES.BSONObjectTooLarge, 'a result is larger than 16 MB');
    return bytes;
  };
  return openCursor(request, namespace, documents, options);
}

/** Reads on in a cursor. */
export const getMore: Handler = (request) => {
  const { body, engine } = request;
  const id = plainNumber(body.getMore) ?? 0;
  const namespace = namespaceOf(request, body.collection);
  const batchSize = optionalNumber(body, 'batchSize');
  const batch = engine.cursors.more(id, namespace, batchSize === 0 ? undefined : batchSize);
  return new CursorBatch('nextBatch', batch.id, namespace, batch.documents);
};

/** Closes cursors. */
export const killCursors: Handler = ({ body, engine }) => {
  const cursors = Array.isArray(body.cursors) ? body.cursors : [];
  const killed = new Set(engine.cursors.kill(cursors.map((id) => plainNumber(id) ?? 0)));
  return {
    cursorsKilled: cursors.filter((id) => killed.has(plainNumber(id) ?? 0)),
    cursorsNotFound: cursors.filter((id) => !killed.has(plainNumber(id) ?? 0)),
    cursorsAlive: [],
    cursorsUnknown: [],
    ok: 1,
  };
};

/** Runs a pipeline: what can be pushed into the query is, the rest is computed from its documents. */
export const aggregate: Handler = (request) => {
  const { body } = request;
  const namespace = namespaceOf(request);
  const pipeline = parsePipeline(body.pipeline, optionalDocument(body, 'let'));
  if (!isDocument(body.cursor)) throw failedToParse("the 'cursor' option is required");
  const { filter = {}, ...rest } = pipeline.leading;
  const query = { filter, hint: body.hint, ...rest };
  if (pipeline.countOnly) {
    return cursorOver(request, namespace, pipeline.countResult(countOf(request, namespace, query)), body.cursor);
  }
  const stream = streamOf(request, namespace, query);
  if (isPlainQuery(body.pipeline, pipeline.leading))
    return openCursor(request, namespace, () => stream.next()?.bytes, body.cursor);
  const results = pipeline.run(decoded(stream), {
    find: (collection, inner) => [
      ...decoded(streamOf(request, `${request.database}.${collection}`, { filter: inner })),
    ],
  });
  return cursorOver(request, namespace, results, body.cursor);
};

function isPlainQuery(pipeline: unknown, leading: ParsedPipeline['leading']): boolean {
  return (
    Array.isArray(pipeline) && pipeline.length === Object.values(leading).filter((part) => part !== undefined).length
  );
}

function* decoded(stream: Stream): Generator<Document> {
  for (let found = stream.next(); found; found = stream.next()) yield decode(found.bytes);
}

/** How many documents a query finds; where an index or the catalogue tells, none is read. */
function countOf(request: Request, namespace: string, query: Query): number {
  const { workspace, engine } = request;
  const { skip = 0, limit = Infinity } = query;
  const within = (count: number): number => Math.max(0, Math.min(count - skip, limit));
  const collection = workspace.find(namespace);
  const stream = streamOf(request, namespace, { ...query, sort: undefined });
  const plan = stream.trace?.().plan;
  if (collection && plan && !workspace.snapshot) {
    if (plan.exact && !plan.index) return within(collection.count);
    if (plan.exact && plan.bounds && !plan.bounds.points) {
      const counts = plan.bounds.ranges.map(({ start, end }) =>
        engine.environment.count(engine.environment.entries, start, end),
      );
      return within(counts.reduce((total, count) => total + count, 0));
    }
  }
  let count = 0;
  while (stream.next()) count++;
  return count;
}

/** Counts documents. */
export const count: Handler = (request) => {
  if (request.transaction) {
    throw new EngineError(
      CODES.OperationNotSupportedInTransaction,
      'Cannot run count in a multi-document transaction. Use countDocuments',
    );
  }
  return { n: countOf(request, namespaceOf(request), queryOf(request.body, 'query')), ok: 1 };
};

/** The different values of a field. */
export const distinct: Handler = (request) => {
  const { body } = request;
  if (typeof body.key !== 'string') throw badValue("'key' must be a string");
  const path = splitPath(body.key);
  const values = new Map<string, unknown>();
  const stream = streamOf(request, namespaceOf(request), queryOf(body, 'query'));
  for (const doc of decoded(stream)) {
    visitPath(doc, path, true, (value) => {
      if (value !== undefined && !Array.isArray(value)) values.set(valueKey(value), value);
      return false;
    });
  }
  return { values: [...values.values()], ...(request.view && { atClusterTime: request.view.time }), ok: 1 };
};

/** Tells how a command would find its documents, and what that took. */
export const explain: Handler = (request) => {
  const { body } = request;
  const command = document(body, 'explain');
  const [name = '', target] = Object.entries(command)[0] ?? [];
  const namespace = namespaceOf(request, target);
  const query = explained(name, command);
  const stream = streamOf(request, namespace, query);
  let found = 0;
  while (stream.next()) found++;
  const steps = stream.trace?.();
  const index = steps?.plan.index;
  const source: Document = index
    ? {
        stage: 'IXSCAN',
        indexName: index.spec.name,
        keyPattern: index.spec.key,
        isMultiKey: index.multikey,
        direction: steps.plan.reverse ? 'backward' : 'forward',
      }
    : { stage: steps ? 'COLLSCAN' : 'EOF' };
  const fetched = index ? { stage: 'FETCH', inputStage: source } : source;
  const winningPlan = steps?.sortedInMemory ? { stage: 'SORT', inputStage: fetched } : fetched;
  const examined = steps?.examined ?? 0;
  return {
    queryPlanner: { namespace, parsedQuery: query.filter, winningPlan, rejectedPlans: [] },
    executionStats: {
      executionSuccess: true,
      nReturned: found,
      totalKeysExamined: index ? examined : 0,
      totalDocsExamined: examined,
    },
    ok: 1,
  };
};

function explained(name: string, command: Document): Query {
  if (name === 'aggregate') {
    const { filter = {}, ...rest } = parsePipeline(command.pipeline, optionalDocument(command, 'let')).leading;
    return { filter, hint: command.hint, ...rest };
  }
  if (name === 'update' || name === 'delete') {
    const [statement = {}] = Array.isArray(command[`${name}s`]) ? (command[`${name}s`] as Document[]) : [];
    return { filter: document(statement, 'q'), hint: statement.hint };
  }
  return queryOf(command, name === 'find' ? 'filter' : 'query');
}
