import { decodeTyped } from '../bson/raw.js';
import { openStream } from '../plan/stream.js';
import type { Collection } from './catalogue.js';
import type { Direct } from './direct.js';
import { Blocked, type Writer } from './writer.js';

const BATCH = 500;

/** Removes the documents whose time is over, by the indexes that say so; a batch of each at a time. */
export function expireDocuments(writer: Writer, direct: Direct, now = Date.now()): void {
  for (const collection of writer.catalogue.list()) {
    for (const { spec, dropped } of collection.indexes) {
      const [path] = Object.keys(spec.key);
      if (spec.expireAfterSeconds === undefined || path === undefined || dropped) continue;
      const expired = { [path]: { $lt: new Date(now - spec.expireAfterSeconds * 1000) } };
      const filter = { $and: [expired, spec.partialFilterExpression ?? {}] };
      void expireBatches(writer, direct, collection, { filter, hint: spec.name, limit: BATCH });
    }
  }
}

type Query = Parameters<typeof openStream>[3];

async function expireBatches(writer: Writer, direct: Direct, collection: Collection, query: Query): Promise<void> {
  try {
    let removed = BATCH;
    while (removed === BATCH) removed = await writer.submit(() => expireBatch(writer, direct, collection, query));
  } catch {
    // the collection or the index is gone, or there is no room: the next sweep tries again
  }
}

function expireBatch(writer: Writer, direct: Direct, collection: Collection, query: Query): number {
  if (collection.dropped) return 0;
  const stream = openStream(direct, writer, collection, query);
  const found = [];
  for (let next = stream.next(); next; next = stream.next()) found.push(next);
  let removed = 0;
  for (const { record, bytes } of found) {
    try {
      direct.remove(collection, { record, bytes, doc: decodeTyped(bytes) });
      removed++;
    } catch (error) {
      // a transaction is busy with it
      if (!(error instanceof Blocked)) throw error;
    }
  }
  return removed;
}
