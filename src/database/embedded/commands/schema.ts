import { CODES, EngineError, type Document } from '../errors.js';
import { compileFilter } from '../query/match.js';
import type { Collection } from '../store/catalogue.js';
import { findIndex, Index, parseIndexSpec, type IndexSpec } from '../store/index.js';
import type { Workspace } from '../store/workspace.js';
import { cursorOver } from './read.js';
import { document, documents, flag, namespaceOf, runWrite, type Handler, type Request } from './request.js';

function refuseInTransaction({ transaction, name }: Request): void {
  if (!transaction) return;
  const message = `Cannot run '${name}' in a multi-document transaction.`;
  throw new EngineError(CODES.OperationNotSupportedInTransaction, message);
}

/** Creates a collection; one that exists stays as it is. */
export const create: Handler = (request) => {
  const namespace = namespaceOf(request);
  return runWrite(request, (workspace) => {
    workspace.obtain(namespace);
    return { ok: 1 };
  });
};

/** Removes a collection. */
export const drop: Handler = (request) => {
  refuseInTransaction(request);
  const namespace = namespaceOf(request);
  return runWrite(request, (workspace) => {
    const collection = workspace.find(namespace);
    if (!collection) return { ok: 1 };
    dropCollection(request, collection);
    return { nIndexesWas: collection.indexes.length, ns: namespace, ok: 1 };
  });
};

/** Removes all collections of a database. */
export const dropDatabase: Handler = (request) => {
  refuseInTransaction(request);
  return runWrite(request, () => {
    for (const collection of request.engine.catalogue.list(request.database)) dropCollection(request, collection);
    return { dropped: request.database, ok: 1 };
  });
};

function dropCollection({ engine }: Request, collection: Collection): void {
  const { catalogue, writer, sessions } = engine;
  sessions.awaitUsers(collection);
  catalogue.erase(collection);
  catalogue.forget(collection);
  markDropped(collection, true);
  writer.onUndo(() => {
    catalogue.remember(collection);
    markDropped(collection, false);
  });
}

function markDropped(collection: Collection, dropped: boolean): void {
  collection.dropped = dropped;
  for (const index of collection.indexes) index.dropped = dropped;
}

/** Lists the collections of a database. */
export const listCollections: Handler = (request) => {
  const { engine, body, database } = request;
  const matches = compileFilter(document(body, 'filter'));
  const found = engine.catalogue.list(database).map((collection) => describe(collection, flag(body.nameOnly)));
  return cursorOver(request, `${database}.$cmd.listCollections`, found.filter(matches), document(body, 'cursor'));
};

function describe({ name, uuid, indexes }: Collection, nameOnly: boolean): Document {
  if (nameOnly) return { name, type: 'collection' };
  return { name, type: 'collection', options: {}, info: { readOnly: false, uuid }, idIndex: indexes[0]?.describe() };
}

/** Lists the databases. */
export const listDatabases: Handler = ({ engine, body }) => {
  const matches = compileFilter(document(body, 'filter'));
  const names = [...new Set(engine.catalogue.list().map(({ database }) => database))];
  const databases = names.map((name) => ({ name, sizeOnDisk: 0, empty: false })).filter((entry) => matches(entry));
  return { databases: flag(body.nameOnly) ? databases.map(({ name }) => ({ name })) : databases, totalSize: 0, ok: 1 };
};

/** Sizes of a database. */
export const dbStats: Handler = ({ engine, database }) => {
  const collections = engine.catalogue.list(database);
  const sum = (of: (collection: Collection) => number): number =>
    collections.reduce((total, one) => total + of(one), 0);
  return {
    db: database,
    collections: collections.length,
    objects: sum(({ count }) => count),
    indexes: sum(({ indexes }) => indexes.length),
    ok: 1,
  };
};

/** Sizes of a collection. */
export const collStats: Handler = (request) => {
  const namespace = namespaceOf(request);
  const collection = request.engine.catalogue.find(namespace);
  return { ns: namespace, count: collection?.count ?? 0, nindexes: collection?.indexes.length ?? 0, ok: 1 };
};

/** Creates indexes, and the collection when it is missing. */
export const createIndexes: Handler = (request) => {
  const namespace = namespaceOf(request);
  const specs = documents(request.body, 'indexes').map(parseIndexSpec);
  return runWrite(request, (workspace) => {
    const existed = workspace.find(namespace) !== undefined;
    const collection = workspace.obtain(namespace);
    const numIndexesBefore = collection.indexes.length;
    for (const spec of specs) addIndex(request, workspace, collection, spec);
    const numIndexesAfter = collection.indexes.length;
    return { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically: !existed, ok: 1 };
  });
};

function addIndex(request: Request, workspace: Workspace, collection: Collection, spec: IndexSpec): void {
  const wanted = new Index(0, spec, 0);
  if (wanted.pattern === JSON.stringify([['_id', false]])) return;
  for (const index of collection.indexes) {
    if (index.spec.name === spec.name) {
      if (index.identity === wanted.identity && index.spec.expireAfterSeconds === spec.expireAfterSeconds) return;
      throw conflict(index, wanted);
    }
    if (index.identity === wanted.identity) {
      const message = `Index already exists with a different name: ${index.spec.name}`;
      throw new EngineError(CODES.IndexOptionsConflict, message);
    }
  }
  if (!request.transaction) request.engine.sessions.awaitUsers(collection);
  workspace.addIndex(collection, spec);
}

function conflict(index: Index, wanted: Index): EngineError {
  const onlyLifetime = index.identity === wanted.identity;
  const code = onlyLifetime ? CODES.IndexOptionsConflict : CODES.IndexKeySpecsConflict;
  const message = `An existing index has the same name as the requested index, '${wanted.spec.name}', and is another one`;
  return new EngineError(code, message);
}

/** Removes indexes. */
export const dropIndexes: Handler = (request) => {
  refuseInTransaction(request);
  const namespace = namespaceOf(request);
  const { index: wanted } = request.body;
  return runWrite(request, (workspace) => {
    const collection = workspace.find(namespace);
    if (!collection) throw new EngineError(CODES.NamespaceNotFound, `ns not found ${namespace}`);
    const nIndexesWas = collection.indexes.length;
    request.engine.sessions.awaitUsers(collection);
    const gone =
      wanted === '*' ? collection.indexes.slice(1) : [wanted].flat().map((one) => droppable(collection, one));
    removeIndexes(request, collection, gone);
    return { nIndexesWas, ok: 1 };
  });
};

function droppable({ indexes }: Collection, wanted: unknown): Index {
  const found = findIndex(indexes, wanted);
  if (!found) throw new EngineError(CODES.IndexNotFound, `index not found with name [${String(wanted)}]`);
  if (found === indexes[0]) throw new EngineError(CODES.InvalidOptions, 'cannot drop _id index');
  return found;
}

function removeIndexes({ engine }: Request, collection: Collection, gone: Index[]): void {
  const { indexes } = collection;
  collection.indexes = indexes.filter((index) => !gone.includes(index));
  for (const index of gone) {
    engine.catalogue.eraseIndex(index);
    index.dropped = true;
  }
  engine.writer.onUndo(() => {
    collection.indexes = indexes;
    for (const index of gone) index.dropped = false;
  });
  engine.catalogue.save(collection);
}

/** Lists the indexes of a collection. */
export const listIndexes: Handler = (request) => {
  const namespace = namespaceOf(request);
  const collection = request.workspace.find(namespace);
  if (!collection) throw new EngineError(CODES.NamespaceNotFound, `ns does not exist: ${namespace}`);
  const found = collection.indexes.map((index) => index.describe());
  return cursorOver(request, namespace, found, document(request.body, 'cursor'));
};
