/**
 * Measures the embedded database through the driver, in its worker thread, and prints each figure with its target.
 * Run it on the build: `node scripts/bench-engine.mjs [folder of the compiled engine]`. Exits with 1 when a target is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { performance } from 'node:perf_hooks';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MongoClient } from 'mongodb';

const DOCUMENTS = 100_000;
const build = resolve(process.argv[2] ?? 'dist/database/embedded');
const { startEngineWorker } = await import(pathToFileURL(join(build, 'index.js')).href);
let missed = 0;

function report(what, value, unit, target, good) {
  if (!good) missed++;
  console.log(
    `${good ? 'ok  ' : 'MISS'} ${what.padEnd(52)} ${value.toFixed(2).padStart(10)} ${unit.padEnd(8)} target ${target}`,
  );
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of one call, as a mean over `count` calls by `clients` clients. */
async function each(count, clients, work) {
  let next = 0;
  const client = async () => {
    while (next < count) await work(next++);
  };
  return (await time(() => Promise.all(Array.from({ length: clients }, client)))) / count;
}

const makeDocument = (n) => ({
  _id: n,
  key: `k${n}`,
  group: n % 1000,
  at: new Date(1.7e12 + n * 1000),
  title: `Document number ${n}`,
  tags: ['alpha', 'beta', `t${n % 50}`],
  body: 'lorem ipsum '.repeat(40),
  nested: { a: n, b: { c: `c${n}` } },
});

const path = await mkdtemp(join(tmpdir(), 'engine-bench-'));
const before = process.memoryUsage.rss();
let engine = await startEngineWorker({ path });
const idle = (process.memoryUsage.rss() - before) / 1_048_576;
const client = new MongoClient(engine.uri, { maxPoolSize: 64 });
try {
  const db = client.db('bench');
  const docs = db.collection('docs');
  report('memory that the idle engine adds', idle, 'MB', '< 60', idle < 60);
  await docs.createIndexes([{ key: { key: 1 }, unique: true }, { key: { group: 1, at: -1 } }, { key: { at: 1 } }]);
  const inserting = await time(async () => {
    for (let at = 0; at < DOCUMENTS; at += 1000) {
      await docs.insertMany(
        Array.from({ length: 1000 }, (_, n) => makeDocument(at + n)),
        { ordered: false },
      );
    }
  });
  const insertRate = (DOCUMENTS / inserting) * 1000;
  report('insertMany with three indexes', insertRate, 'docs/s', '>= 15000', insertRate >= 15_000);

  const ping = await each(2000, 1, () => db.command({ ping: 1 }));
  report('ping', ping, 'ms', '(floor)', true);
  await each(2000, 32, (n) => docs.findOne({ _id: n }));
  const single = await each(3000, 1, (n) => docs.findOne({ _id: (n * 7919) % DOCUMENTS }));
  report('find by _id, one client', single, 'ms', '< 1', single < 1);
  const many = 1000 / (await each(12_000, 32, (n) => docs.findOne({ _id: (n * 7919) % DOCUMENTS })));
  report('find by _id, 32 clients', many, '/s', '>= 3000', many >= 3000);

  const page = await each(500, 1, (n) =>
    docs
      .find({ group: n % 1000 })
      .sort({ at: -1 })
      .limit(20)
      .toArray(),
  );
  report('equality, sort and limit 20 on an index', page, 'ms', '(0.65)', true);
  const indexed = await each(200, 1, (n) => docs.find({ key: `k${n * 31}` }).toArray());
  const scan = await each(4, 1, (n) => docs.find({ title: `Document number ${n * 31}` }).toArray());
  report('scan of 100,000 documents', scan, 'ms', '< 600', scan < 600);
  report('the same with an index: times faster', scan / indexed, 'x', '>= 50', scan / indexed >= 50);
  const counting = await each(50, 1, (n) => docs.countDocuments({ group: n }));
  report('countDocuments by an index', counting, 'ms', '', true);
  const grouping = await each(2, 1, () => docs.aggregate([{ $group: { _id: '$group', n: { $sum: 1 } } }]).toArray());
  report('$group over 100,000 documents', grouping, 'ms', '(900)', true);

  const writes = db.collection('writes');
  await each(500, 32, () => writes.insertOne({ a: 1 }));
  const one = 1000 / (await each(2000, 1, (n) => writes.insertOne({ n })));
  const parallel = 1000 / (await each(20_000, 32, (n) => writes.insertOne({ n })));
  report('durable insertOne, one client', one, '/s', '', true);
  report('durable insertOne, 32 clients', parallel, '/s', '', true);
  report('the same: times the rate of one client', parallel / one, 'x', '>= 5', parallel / one >= 5);
  const updating = await each(1000, 1, (n) => docs.updateOne({ _id: n }, { $set: { title: `New ${n}` } }));
  report('updateOne by _id', updating, 'ms', '', true);
  const transaction = await each(300, 1, async (n) => {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        for (let i = 0; i < 3; i++) await writes.insertOne({ n, i }, { session });
      }),
    );
  });
  report('transaction of three writes', transaction, 'ms', '(2)', true);
  await engine.stop();
  const starting = await time(async () => (engine = await startEngineWorker({ path })));
  report('start with 100,000 documents', starting, 'ms', '< 500', starting < 500);
} finally {
  await client.close();
  await engine.stop();
  await rm(path, { recursive: true });
}
process.exitCode = missed > 0 ? 1 : 0;
