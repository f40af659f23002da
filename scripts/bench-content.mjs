/**
 * Measures what edits, merges and copies cost in spaces of 100, 1,000 and 10,000 pages, flat and nested, on the embedded
 * engine: npm run bench:content. Counts the records that an edit writes, and fails when a bound of docs/revisions.md is
 * passed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { TOKEN, callerOf, environmentOf, temporaryFolder } from './service.mjs';

const SIZES = (process.env.BENCH_SIZES ?? '100,1000,10000').split(',').map(Number);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30);
const SHAPES = { flat: 0, nested: 10 };

const built = (path) => import(new URL(path, new URL('../dist/', import.meta.url)).href);
const { loadConfig } = await built('config/index.js');
const { createService } = await built('service.js');
const { openEngine } = await built('database/index.js');
const { JsonLogger } = await built('common/logger.js');
const { bootstrap } = await built('cli/index.js');
const { ContentWriter } = await built('content/content.writer.js');
const { DocumentsService, RevisionsService } = await built('revisions/index.js');
const { IndexSweep } = await built('content/index.js');
const { SpacesService } = await built('spaces/index.js');

const data = await temporaryFolder();
const engine = await openEngine(`${data.path}/database`);
const config = loadConfig(environmentOf(data.path, { MONGODB_URI: engine.uri, SECRET_KEY: 'k'.repeat(40) }));
const app = await createService(config, engine.uri, new JsonLogger('warn'), { monitorCommands: true });
await bootstrap(app, config);
await app.listen(0, '127.0.0.1');
const [writer, documents, revisions, spaces, sweep] = [
  ContentWriter,
  DocumentsService,
  RevisionsService,
  SpacesService,
  IndexSweep,
].map((type) => app.get(type, { strict: false }));
const call = callerOf(await app.getUrl(), TOKEN);
const organization = (await call('GET', '/v1/orgs')).items[0].id;

/** Records that `work` writes: inserted, changed and removed ones. */
let written = 0;
const client = spaces.spaces.db.getClient();
client.on('commandStarted', ({ command }) => {
  written += (command.documents ?? command.updates ?? command.deletes ?? (command.findAndModify ? [1] : [])).length;
});

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function timed(work) {
  const [start, before] = [performance.now(), written];
  const result = await work();
  return { time: performance.now() - start, records: written - before, result };
}

/** A space of `size` pages; `fan`: how many lie under each page, 0 for all of them at the top. */
async function fill(size, fan) {
  const space = await call('POST', `/v1/orgs/${organization}/spaces`, { title: `${size} ${fan}` });
  const numbers = Array.from({ length: size }, (_, number) => number);
  const texts = numbers.map(
    (number) => `# Page ${number}\n\nWhat page ${number} of ${size} by ${fan} says.\n\nMore.\n`,
  );
  const records = [];
  for (let start = 0; start < size; start += 500) {
    records.push(...(await documents.putMany(organization, texts.slice(start, start + 500))));
  }
  const ids = [];
  await writer.write(space.id, null, async (editor) => {
    for (const [number, record] of records.entries()) {
      const into = fan === 0 || number === 0 ? null : ids[Math.floor((number - 1) / fan)];
      const page = { kind: 'document', title: `Page ${number}`, document: record._id };
      ids.push((await editor.insertPage(page, { into })).id);
    }
  });
  for (;;) {
    const { revision, indexedRevision } = await spaces.get(space.id);
    if (revision === indexedRevision) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { space: space.id, ids };
}

/** From now on, copies are not indexed beside the measurement; the service does that a moment later. */
function holdIndexing() {
  sweep.notice = () => undefined;
  return () => delete sweep.notice;
}

const edit = (space, changes) => call('POST', `/v1/spaces/${space}/content`, { changes });
const textOf = (number, round) => ({
  markdown: `# Page ${number}\n\nWhat page ${number} says in round ${round}.\n\nMore.\n`,
});

/** Pages spread over all of the space. */
const spread = (ids, count) => Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * ids.length) / count));

async function mergeOnce({ space, ids }, round) {
  const { revision } = await spaces.get(space);
  const base = await revisions.get(revision);
  const branch = async (numbers, side) => {
    const records = await documents.putMany(
      organization,
      numbers.map((number) => `# Page ${number}\n\n${side} in merge ${round}.\n`),
    );
    const editor = revisions.edit(base);
    for (const [at, number] of numbers.entries()) await editor.updatePage(ids[number], { document: records[at]._id });
    const { root } = await editor.finish();
    return { ...base, root };
  };
  const ours = await branch(
    spread(ids, 20).filter((_, n) => n % 2 === 0),
    'Ours',
  );
  const theirs = await branch(
    spread(ids, 20).filter((_, n) => n % 2 === 1),
    'Theirs',
  );
  return timed(async () => {
    const merged = await revisions.merge({ base, ours, theirs }, { organization });
    if (merged.conflicts) throw new Error(`A merge without conflicts has ${merged.conflicts.length}`);
    const parents = [base._id];
    await revisions.commit({ organization, space, type: 'merge', parents, root: merged.root, author: null });
  });
}

/** Merges a change request of ten pages into a space in which ten others were edited meanwhile. */
async function mergeChangeRequest({ space, ids }, round) {
  const path = `/v1/spaces/${space}/change-requests`;
  const { id } = await call('POST', path, { subject: `Round ${round}` });
  const changesOf = (half) =>
    spread(ids, 20)
      .filter((_, n) => n % 2 === half)
      .map((number) => ({
        operation: 'update_page',
        page: ids[number],
        document: { markdown: `# Page ${number}\n\nHalf ${half} of change request ${round}.\n` },
      }));
  await call('POST', `${path}/${id}/content`, { changes: changesOf(0) });
  await edit(space, changesOf(1));
  return timed(() => call('POST', `${path}/${id}/merge`));
}

async function measure(size, shape) {
  const made = await fill(size, SHAPES[shape]);
  const rows = { edit: [], title: [], move: [], duplicate: [], merge: [], changeRequest: [], tree: [], json: [] };
  const resume = holdIndexing();
  const numbers = spread(made.ids, ROUNDS + 3).slice(1);
  const change = (number, fields) =>
    edit(made.space, [{ operation: 'update_page', page: made.ids[number], ...fields }]);
  const operations = {
    edit: (number, round) => timed(() => change(number, { document: textOf(number, round) })),
    title: (number, round) => timed(() => change(number, { title: `Renamed ${round}` })),
    move: (number) => timed(() => change(number, { at: 0 })),
    merge: (_number, round) => mergeOnce(made, round),
    changeRequest: (_number, round) => mergeChangeRequest(made, round),
    duplicate: () => timed(() => call('POST', `/v1/spaces/${made.space}/duplicate`)),
  };
  for (const [name, operation] of Object.entries(operations)) {
    for (const [round, number] of numbers.entries()) {
      const one = await operation(number, round);
      // the first rounds fill the caches
      if (round >= 2) rows[name].push(one);
    }
  }
  resume();
  const { pages } = await call('GET', `/v1/spaces/${made.space}/content/pages`);
  for (let round = 0; round < 10; round += 1) {
    rows.tree.push(await timed(() => call('GET', `/v1/spaces/${made.space}/content/pages`)));
    rows.json.push(await timed(async () => JSON.parse(JSON.stringify({ pages }))));
  }
  return Object.fromEntries(
    Object.entries(rows).map(([name, all]) => [
      name,
      { ms: median(all.map(({ time }) => time)), records: Math.max(...all.map(({ records }) => records)) },
    ]),
  );
}

const table = [];
for (const shape of Object.keys(SHAPES)) {
  for (const size of SIZES) {
    const started = performance.now();
    const result = await measure(size, shape);
    const figures = Object.entries(result).map(([name, { ms, records }]) => [
      name,
      records > 0 ? `${ms.toFixed(1)} ms, ${records} records` : `${ms.toFixed(1)} ms`,
    ]);
    table.push({ shape, size, result });
    console.log(shape, size, Object.fromEntries(figures), `${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
}

const failures = [];
const bound = (holds, what) => {
  if (!holds) failures.push(what);
};
for (const shape of Object.keys(SHAPES)) {
  const rows = table.filter((row) => row.shape === shape);
  const [small, large] = [rows[0].result, rows.at(-1).result];
  const ratio = (name) => large[name].ms / small[name].ms;
  const names = ['edit', 'title', 'move', 'duplicate', 'merge', 'changeRequest'];
  console.log(shape, 'largest over smallest:', Object.fromEntries(names.map((name) => [name, ratio(name).toFixed(2)])));
  bound(large.edit.records <= 25, `${shape}: an edit writes ${large.edit.records} records, at most 25 are allowed`);
  bound(ratio('edit') <= 2, `${shape}: an edit takes ${ratio('edit').toFixed(2)} times as long, at most 2 is allowed`);
  bound(ratio('duplicate') <= 2, `${shape}: a copy takes ${ratio('duplicate').toFixed(2)} times as long, at most 2`);
  bound(
    ratio('changeRequest') <= 3,
    `${shape}: merging a change request takes ${ratio('changeRequest').toFixed(2)} times as long, at most 3`,
  );
  bound(ratio('merge') <= 3, `${shape}: a merge takes ${ratio('merge').toFixed(2)} times as long, at most 3`);
}
await mkdir('bench', { recursive: true });
await writeFile('bench/content.json', `${JSON.stringify({ at: new Date().toISOString(), table }, null, 2)}\n`);
await app.close();
await engine.stop();
await data.remove();
for (const failure of failures) console.error(`WRONG  ${failure}`);
console.log(failures.length === 0 ? 'All bounds hold.' : `${failures.length} bounds are passed.`);
process.exit(failures.length === 0 ? 0 : 1);
