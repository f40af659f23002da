// Measures reads of the service beside a bare floor that makes the same reads on the same database: npm run bench
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { callerOf, startService, temporaryFolder, TOKEN } from './service.mjs';

const PAGES = 1000;
const SECTIONS = 10;
const SITE_SPACES = 50;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const CONNECTIONS = 10;

/** Memory of the process that is not of files, in MiB: the mapped database does not count. */
async function anonymousMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /RssAnon:\s+(\d+)/.exec(status) ?? [];
  return kilobytes ? Number(kilobytes) / 1024 : NaN;
}

/** Seconds of CPU that the process has used. */
async function cpuSeconds(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function fill(call) {
  const organization = (await call('GET', '/v1/orgs')).items[0].id;
  const { id: space } = await call('POST', `/v1/orgs/${organization}/spaces`, { title: 'Bench' });
  const words = 'reads writes pages spaces merges revisions search index chapter section'.split(' ');
  for (let start = 0; start < PAGES; start += 50) {
    const changes = Array.from({ length: 50 }, (_, n) => {
      const text = Array.from({ length: 120 }, (_, w) => words[(start + n * 7 + w * 3) % words.length]).join(' ');
      return {
        operation: 'insert_page',
        document: { markdown: `# Page ${start + n}\n\n${text}\n\n## More\n\n${text}\n` },
      };
    });
    await call('POST', `/v1/spaces/${space}/content`, { changes });
  }
  const pages = await call('GET', `/v1/spaces/${space}/content/pages`);
  const site = await publish(call, organization);
  return { organization, space, pages, page: pages.pages[PAGES / 2], site };
}

/** Publishes a site; answers its published view, as the floor sends it. */
async function publish(call, organization) {
  const sites = `/v1/orgs/${organization}/sites`;
  const { id } = await call('POST', sites, { title: 'Bench' });
  for (let section = 0; section < SECTIONS; section += 1) {
    const spaces = [];
    for (let variant = 0; variant < SITE_SPACES / SECTIONS; variant += 1) {
      const title = `Space ${section} ${variant}`;
      spaces.push((await call('POST', `/v1/orgs/${organization}/spaces`, { title })).id);
    }
    const [first, ...others] = spaces;
    const made = await call('POST', `${sites}/${id}/sections`, { title: `Section ${section}`, spaceId: first });
    for (const spaceId of others) await call('POST', `${sites}/${id}/site-spaces`, { spaceId, sectionId: made.id });
  }
  await call('POST', `${sites}/${id}/publish`);
  return call('GET', `${sites}/${id}/published`);
}

async function startFloor(uri, answers) {
  const file = join(data.path, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const child = spawn(process.execPath, ['scripts/bench-floor.mjs', uri, file], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (line) =>
      resolve({ url: String(line).split(' ')[1], pid: child.pid, stop: () => child.kill() }),
    );
    child.once('exit', reject);
  });
}

async function load(server, path) {
  const options = { url: server.url + path, connections: CONNECTIONS, headers: { authorization: `Bearer ${TOKEN}` } };
  await autocannon({ ...options, duration: 2 });
  const cpu = await cpuSeconds(server.pid);
  const result = await autocannon({ ...options, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`);
  const total = result.requests.total;
  return {
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (((await cpuSeconds(server.pid)) - cpu) / total) * 1000,
  };
}

const data = await temporaryFolder();
const service = await startService(data.path, { NODE_ENV: 'production' });
try {
  const idle = await anonymousMemory(service.pid);
  const call = callerOf(service.url);
  const answers = await fill(call);
  const { uri } = JSON.parse(await readFile(join(data.path, 'database', 'engine.json'), 'utf8'));
  const floor = await startFloor(uri, answers);
  const operations = {
    'GET space': `/v1/spaces/${answers.space}`,
    'GET page': `/v1/spaces/${answers.space}/content/page/${answers.page.id}`,
    [`list ${PAGES} pages`]: `/v1/spaces/${answers.space}/content/pages`,
    [`GET published site, ${SITE_SPACES} site-spaces`]: `/v1/orgs/${answers.organization}/sites/${answers.site.site.id}/published`,
  };
  const rows = [];
  for (const [name, path] of Object.entries(operations)) {
    // floor, service, floor: the machine is noisy
    const before = await load(floor, path);
    const ours = await load(service, path);
    const after = await load(floor, path);
    const base = { rate: (before.rate + after.rate) / 2, cpu: (before.cpu + after.cpu) / 2 };
    rows.push({
      operation: name,
      'requests/s': Math.round(ours.rate),
      'floor/s': Math.round(base.rate),
      ratio: Number((ours.rate / base.rate).toFixed(2)),
      'p50 ms': ours.p50,
      'p99 ms': ours.p99,
      'CPU ms (with engine)': Number(ours.cpu.toFixed(2)),
    });
  }
  floor.stop();
  const memory = {
    'ready after, s': Number((service.ready / 1000).toFixed(2)),
    'RssAnon idle, MiB': Math.round(idle),
    'RssAnon after the run, MiB': Math.round(await anonymousMemory(service.pid)),
  };
  console.table(rows);
  console.table(memory);
  await mkdir('bench', { recursive: true });
  await writeFile(
    'bench/results.json',
    `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, memory }, null, 2)}\n`,
  );
} finally {
  await service.stop();
  await data.remove();
}
process.exit(0);
