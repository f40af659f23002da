/**
 * Measures search in a space of synthetic pages on the embedded engine: `node scripts/bench-search.mjs [pages] [callers]`.
 * Run it after a build. Prints the times of indexing, editing and searching in ms, and the size of the index.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import mongoose from 'mongoose';
import { anyQuery, pick, queries, random, words } from './synthetic-words.mjs';

const [pageCount, callers] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 4)];
const built = (path) => import(new URL(path, process.env.BUILD_URL ?? new URL('../dist/', import.meta.url)).href);
const { Database, openEngine } = await built('database/index.js');
const { searchModels, searchProviders } = await built('content/search/index.js');
const { DocumentSections } = await built('content/document-sections.js');
const { DocumentsService } = await built('revisions/index.js');
const { DocumentSchema } = await built('revisions/document.schema.js');
const { OUTLINE_VERSION } = await built('revisions/read-outline.js');

function entryOf(number) {
  const sections = Array.from({ length: 5 }, (_, place) => ({
    anchor: `part-${place}`,
    title: words(3),
    depth: 2,
    text: words(60 + Math.floor(random() * 150)),
  }));
  return { page: `page${number}`, document: `document${number}`, title: words(3), description: words(8), sections };
}

/** The text of an entry as it is stored, with as many links as a page of a book has. */
function documentOf({ document, sections }) {
  const headings = sections.map(({ anchor, title, depth }) => ({ slug: anchor, text: title, depth }));
  const links = sections.map(({ title }, at) => ({ kind: 'link', url: `page-${at}`, start: 0, end: 1, text: title }));
  const markdown = sections.map(({ title, text }) => `## ${title}\n\n${text}\n`).join('\n');
  const touchedAt = new Date();
  return {
    _id: document,
    organization: 'o',
    markdown,
    headings,
    links,
    sections,
    outlineVersion: OUTLINE_VERSION,
    touchedAt,
  };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-search-'));
const engine = await openEngine(folder);
mongoose.set('transactionAsyncLocalStorage', true);
const connection = await mongoose.createConnection(engine.uri, { dbName: 'bench', autoIndex: false }).asPromise();
for (const { name, schema } of searchModels) await connection.model(name, schema).createIndexes();
const documents = connection.model('StoredDocument', DocumentSchema);
const source = new DocumentSections(new DocumentsService(documents));
const database = new Database(connection);
await database.onModuleInit();
const [Segments, SegmentMerger, SearchIndex, SearchService] = searchProviders;
const segments = new Segments(connection.model('SearchSegment'), connection.model('SearchBlock'));
const merger = new SegmentMerger(segments, database);
const index = new SearchIndex(segments, merger);
const service = new SearchService(segments, source);

function report(name, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms (${times.length} times)`);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs `work` `count` times, `callers` at once. */
async function measure(name, count, work) {
  const times = [];
  const caller = async () => {
    while (times.length < count) times.push(await timed(work));
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: callers }, caller));
  const { user, system } = process.cpuUsage(before);
  report(`${name}, ${((user + system) / 1000 / times.length).toFixed(1)} ms of processor time`, times);
}

const space = 'space';
const indexing = await timed(async () => {
  for (let start = 0; start < pageCount; start += 50) {
    const entries = Array.from({ length: Math.min(50, pageCount - start) }, (_, place) => entryOf(start + place));
    await database.transaction(() => index.put(space, entries));
    await documents.collection.insertMany(entries.map(documentOf));
  }
});
console.log(`indexing ${pageCount} pages: ${(indexing / 1000).toFixed(1)} s`);
console.log(`merging what is left: ${((await timed(() => merger.settle(space))) / 1000).toFixed(1)} s`);
const blocks = await connection.model('SearchBlock').find({}, { data: 1, table: 1 }).lean();
const bytes = blocks.reduce((sum, { data, table }) => sum + data.length() + (table?.length ?? 0), 0);
console.log(`index: ${(bytes / 2 ** 20).toFixed(1)} MiB in ${blocks.length} blocks`);

for (const [name, query] of Object.entries(queries)) {
  await measure(name, 200, () => service.searchSpace(space, query()));
}
await measure('one letter', 200, () => service.searchSpace(space, pick([...'bcdfghklmnprstvw'])));
await measure('mixed', 1000, () => service.searchSpace(space, anyQuery()));
await measure('mixed, 10 results', 1000, () => service.searchSpace(space, anyQuery(), { limit: 10 }));

const edits = [];
const edit = async () => {
  const entry = entryOf(Math.floor(random() * pageCount));
  edits.push(await timed(() => database.transaction(() => index.put(space, [entry]))));
};
const stop = performance.now() + 10_000;
const editing = (async () => {
  while (performance.now() < stop) {
    await edit();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})();
await measure('mixed, while pages are edited', 600, () => service.searchSpace(space, anyQuery()));
await editing;
report('edit of one page', edits);
const { rss, heapUsed, external } = process.memoryUsage();
const mebibytes = (size) => (size / 2 ** 20).toFixed(0);
console.log(`memory: ${mebibytes(rss)} MiB, of which heap ${mebibytes(heapUsed)}, buffers ${mebibytes(external)}`);

await merger.onModuleDestroy();
await connection.close();
await engine.stop();
await rm(folder, { recursive: true });
