// Keeps a service of its own busy with reads and writes of many kinds, and watches its memory: npm run soak
// Ends with status 1 where a request failed, or where memory grew once it had settled.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { callerOf, startService, temporaryFolder, TOKEN } from './service.mjs';
import * as callers from './soak-callers.mjs';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
/** How often is looked, s. */
const INTERVAL = 10;
/** What memory is compared with is what it was then, in minutes: caches are full by then. */
const SETTLED = [5, 10];
/** A run of fewer minutes says nothing about memory. */
const JUDGED = 15;
/** By how much the median of the last fifth may be above that: a part, and no less than so many MiB. */
const TOLERANCE = { part: 0.1, mib: 24 };

const MIB = 2 ** 20;
const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;

/** One look at the process: memory in MiB, event loop in ms. */
async function look(pid, call, minutes) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const metrics = await call('GET', '/metrics');
  const metric = (name) => Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(metrics)?.[1]);
  return {
    minutes,
    // without the mapped files: the database is not memory
    anonymous: Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1024,
    heap: metric('nodejs_heap_size_used_bytes') / MIB,
    external: metric('nodejs_external_memory_bytes') / MIB,
    lag: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
    handles: metric('nodejs_active_handles_total'),
    descriptors: metric('process_open_fds'),
  };
}

/** A published site to visit, a space to search in, and somebody to sign in. */
async function prepare(call) {
  const organization = (await call('GET', '/v1/orgs')).items[0].id;
  const root = `/v1/orgs/${organization}`;
  const { id: space } = await call('POST', `${root}/spaces`, { title: 'Soak' });
  const changes = Array.from({ length: 50 }, (_, n) => ({
    operation: 'insert_page',
    document: { markdown: `# Chapter ${n}\n\nOf soup and salt, with search and section ${n}.\n` },
  }));
  await call('POST', `/v1/spaces/${space}/content`, { changes });
  const { id: site } = await call('POST', `${root}/sites`, { title: 'Soak', spaces: [space] });
  await call('POST', `${root}/sites/${site}/publish`);
  const { urls } = await call('GET', `${root}/sites/${site}`);
  const person = { email: 'soak@example.org', password: 'a-password-for-the-soak' };
  const { invitations } = await call('POST', `${root}/invites`, { emails: [person.email], role: 'read' });
  await call('POST', '/v1/auth/register', { ...person, displayName: 'Sue', invite: invitations[0].invite });
  return { organization, space, site, url: urls.published, person };
}

/** As the callers of `service.mjs`, and answers what is no JSON as text. */
function callerWith(url, token) {
  return async (method, path, body) => {
    const headers = {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
  };
}

/** What the looks say: memory when it had settled and at the end, and whether it grew more than it may. */
function verdictOf(looks) {
  const settled = looks.filter(({ minutes }) => minutes >= SETTLED[0] && minutes < SETTLED[1]);
  const last = looks.filter(({ minutes }) => minutes >= MINUTES * 0.8);
  const before = median(settled.map(({ anonymous }) => anonymous));
  const after = median(last.map(({ anonymous }) => anonymous));
  const allowed = before + Math.max(before * TOLERANCE.part, TOLERANCE.mib);
  return { before, after, allowed, grew: MINUTES >= JUDGED && !(after <= allowed) };
}

const data = await temporaryFolder();
const service = await startService(data.path, { NODE_ENV: 'production', SIGN_IN_RATE_LIMIT: '0' });
const [counts, failures, looks] = [new Map(), [], []];
try {
  const signal = { aborted: false };
  const prepared = await prepare(callerOf(service.url));
  const callAs = (token) => callers.counting(callerWith(service.url, token), counts);
  const given = { ...prepared, ask: callAs(TOKEN), callAs, signal };
  const { edits, searches, comments, merges, files, visits, signIns } = callers;
  const work = [edits, edits, searches, comments, merges, files, visits, visits, signIns].map(async (caller) => {
    while (!signal.aborted) {
      // begins anew after a failure: one is enough to fail the run, and the rest should be seen too
      await caller(given).catch((error) => failures.push(String(error)));
    }
  });
  const began = performance.now();
  const passed = () => (performance.now() - began) / 60_000;
  const watch = callerWith(service.url, TOKEN);
  while (passed() < MINUTES) {
    await wait(INTERVAL * 1000);
    looks.push(await look(service.pid, watch, passed()));
  }
  signal.aborted = true;
  await Promise.all(work);
} finally {
  await service.stop();
  await data.remove();
}

const verdict = verdictOf(looks);
const every = Math.ceil(looks.length / 15);
console.table(
  looks
    .filter((_, n) => n % every === every - 1)
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Math.round(value * 10) / 10]))),
);
console.table(Object.fromEntries([...counts].sort()));
await mkdir('bench', { recursive: true });
const result = {
  at: new Date().toISOString(),
  minutes: MINUTES,
  verdict,
  failures: failures.slice(0, 100),
  counts: Object.fromEntries(counts),
  looks,
};
await writeFile('bench/soak.json', `${JSON.stringify(result, null, 2)}\n`);
const mib = (number) => `${number.toFixed(0)} MiB`;
const memory =
  MINUTES < JUDGED
    ? 'too short a run to judge memory'
    : `memory ${mib(verdict.before)} when it had settled, ${mib(verdict.after)} at the end, of ${mib(verdict.allowed)} allowed`;
console.log(`${failures.length} failures; ${memory}`);
for (const failure of failures.slice(0, 10)) console.log(failure);
process.exitCode = failures.length > 0 || verdict.grew ? 1 : 0;
