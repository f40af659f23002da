/**
 * Measures search through HTTP, in a space of synthetic pages of a service of its own, on the embedded engine:
 * `npm run bench:search -- [pages] [callers]`. Run it after a build. Prints times in ms, and fails when 95 of 100 searches are
 * not answered within 60 ms. With `BENCH_DATA` it keeps its data in that folder, and uses what it finds there.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { callerOf, runCli, startService, temporaryFolder } from './service.mjs';
import { anyQuery, commonest, queries, random, words } from './synthetic-words.mjs';

const [pageCount, callers] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 4)];
/** Most time that 95 of 100 searches may take, ms. */
const BOUND = 60;

/** Writes `pageCount` pages of about 670 words into folders of 100. */
async function writePages(folder) {
  for (let number = 0; number < pageCount; number += 1) {
    const chapter = join(folder, `chapter-${Math.floor(number / 100)}`);
    if (number % 100 === 0) await mkdir(chapter, { recursive: true });
    const sections = Array.from({ length: 5 }, () => `## ${words(3)}\n\n${words(60 + Math.floor(random() * 150))}\n`);
    await writeFile(join(chapter, `page-${number}.md`), `# ${words(3)} ${number}\n\n${sections.join('\n')}`);
  }
}

/** The space that is searched: made now, or there from an earlier run. */
async function spaceOf(call, data) {
  const { items } = await call('GET', '/v1/orgs');
  const spaces = `/v1/orgs/${items[0].id}/spaces`;
  const known = (await call('GET', spaces)).items.find(({ title }) => title === 'Synthetic');
  if (known) return known.id;
  const pages = await temporaryFolder();
  await writePages(pages.path);
  const { id } = await call('POST', spaces, { title: 'Synthetic' });
  const start = performance.now();
  await runCli(data, ['import', pages.path, '--space', id]);
  console.log(`import of ${pageCount} pages: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  await pages.remove();
  return id;
}

/** Waits until all pages are in the index, and the parts of the index have been merged. */
async function settle(call, space) {
  let { count } = await call('GET', `/v1/spaces/${space}/search?query=${commonest}&limit=0`);
  for (let quiet = 0; quiet < 10;) {
    await setTimeout(1000);
    const now = (await call('GET', `/v1/spaces/${space}/search?query=${commonest}&limit=0`)).count;
    quiet = now === count && now > 0 ? quiet + 1 : 0;
    count = now;
  }
}

function report(name, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  console.log(`${name}: p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, most ${at(1).toFixed(1)} ms`);
  return at(0.95);
}

/** Searches `count` times, by `callers` at once; answers the time that 95 of 100 keep within. */
async function measure(call, space, name, count, query, limit) {
  const times = [];
  const caller = async () => {
    while (times.length < count) {
      const path = `/v1/spaces/${space}/search?query=${encodeURIComponent(query())}&limit=${limit}`;
      const start = performance.now();
      await call('GET', path);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return report(name, times);
}

const data = process.env.BENCH_DATA
  ? { path: process.env.BENCH_DATA, remove: () => undefined }
  : await temporaryFolder();
const isNew = !existsSync(join(data.path, 'database'));
const service = await startService(data.path, { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS ?? '' });
const call = callerOf(service.url);
const space = await spaceOf(call, data.path);
if (isNew) await settle(call, space);
await measure(call, space, 'first', 200, anyQuery, 50);
const p95 = await measure(call, space, 'mixed', 2000, anyQuery, 50);
await measure(call, space, 'mixed, 10 results', 1000, anyQuery, 10);
for (const [name, query] of Object.entries(queries)) await measure(call, space, name, 200, query, 50);
const status = await readFile(`/proc/${service.pid}/status`, 'utf8').catch(() => '');
console.log(`memory: ${status.match(/(?:VmRSS|RssAnon):\s+\d+ kB/g)?.join(', ') ?? 'unknown'}`);
await service.stop();
await data.remove();
if (p95 > BOUND) {
  console.error(`95 of 100 searches should be answered within ${BOUND} ms; it was ${p95.toFixed(1)}`);
  process.exitCode = 1;
}
