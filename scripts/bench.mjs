// Measures operations beside a bare floor that makes the same reads and writes on the same database: npm run bench [-- NAME...]
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { fill } from './benchmark/fill.mjs';
import { anonymousMemory, commandsOf, CONNECTIONS, load } from './benchmark/measure.mjs';
import { operationsOn, READS } from './benchmark/operations.mjs';
import { callerOf, startService, temporaryFolder } from './service.mjs';

/** Service and floor take turns, since the machine is now slow, now fast: so often. */
const ROUNDS = 5;
/** How long a turn is, in seconds, and how many requests it has where each uses something up. */
const TURN = { duration: Number(process.env.BENCH_SECONDS ?? 2), amount: 8 * CONNECTIONS };
/** What comes before the first turn: for some ten seconds V8 still compiles what has turned out to be hot. */
const WARM = { duration: 8, amount: 20 * CONNECTIONS };
/** After which the service has done what it does in the background, in ms. */
const SETTLED = 1000;
/** Goals beside the ratios of the operations. */
const GOALS = { ready: 2, memory: 300, pageRate: 600, pageCpu: 1.5 };

async function startFloor(uri, answers) {
  const file = join(data.path, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const child = spawn(process.execPath, ['scripts/benchmark/floor.mjs', uri, file], {
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

/** Answers of the service, as the floor sends them. */
async function answersTo(operations, call) {
  const answers = {};
  for (const operation of operations) {
    await operation.prepare?.(1);
    const { method, path, body } = operation.next();
    answers[operation.name] = await call(method, path, body);
  }
  return answers;
}

/** One turn of load of the floor and one of the service, or what comes before the first. */
async function turns(servers, operation, { duration, amount }) {
  const { prepare } = operation;
  await prepare?.(amount * servers.length);
  const measured = [];
  for (const server of servers) {
    // what the service does in the background after writes must not fall on the other
    await wait(SETTLED);
    measured.push(await load(server, operation, prepare ? { amount } : { duration }));
  }
  return measured;
}

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** One row of the table: medians of all turns; the ratio is that of the turns that follow each other. */
async function measured(operation, { service, floor, client }) {
  // what is kept in memory was read once; writes would leave work behind that reads in the background
  if (operation.goal === READS) await load(service, operation, { duration: 3 });
  await operation.prepare?.(6);
  // nor may what the row before has left to do be counted
  await wait(3 * SETTLED);
  const commands = await commandsOf(service, operation, client);
  const bare = await commandsOf(floor, operation, client);
  if (commands.reads !== bare.reads || commands.writes !== bare.writes) {
    throw new Error(
      `${operation.name}: ${commands.reads} reads and ${commands.writes} writes, of the floor ${bare.reads} and ${bare.writes}`,
    );
  }
  await turns([floor, service], operation, WARM);
  const all = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [least, ours] = await turns([floor, service], operation, TURN);
    all.push({ least, ours });
  }
  const round = (number, digits = 2) => Number(number.toFixed(digits));
  const ours = (name) => middle(all.map((one) => one.ours[name]));
  const base = (name) => middle(all.map((one) => one.least[name]));
  return {
    operation: operation.name,
    'requests/s': round(ours('rate'), 0),
    'floor/s': round(base('rate'), 0),
    ratio: round(middle(all.map((one) => one.ours.rate / one.least.rate))),
    goal: operation.goal,
    'p50 ms': ours('p50'),
    'p99 ms': ours('p99'),
    'CPU ms': round(ours('cpu')),
    'without engine': round(ours('cpuWithoutEngine')),
    'floor CPU ms': round(base('cpu')),
    reads: commands.reads,
    writes: commands.writes,
    'RssAnon MiB': round(await anonymousMemory(service.pid), 0),
  };
}

/** Sentences about the goals that were missed. */
function missedBy(rows, { ready, after }) {
  const page = rows.find(({ operation }) => operation === 'get page');
  return [
    ...rows
      .filter(({ ratio, goal }) => ratio < goal)
      .map((row) => `${row.operation}: ${row.ratio} of the floor, not ${row.goal}`),
    ...(ready > GOALS.ready ? [`ready after ${ready} s, not ${GOALS.ready}`] : []),
    ...(after > GOALS.memory ? [`${after} MiB after the run, not ${GOALS.memory}`] : []),
    ...(page && page['requests/s'] < GOALS.pageRate
      ? [`get page: ${page['requests/s']}/s, not ${GOALS.pageRate}`]
      : []),
    ...(page && page['CPU ms'] > GOALS.pageCpu ? [`get page: ${page['CPU ms']} ms, not ${GOALS.pageCpu}`] : []),
  ];
}

const data = await temporaryFolder();
const service = await startService(data.path, { NODE_ENV: 'production' });
let floor;
try {
  const idle = await anonymousMemory(service.pid);
  const call = callerOf(service.url);
  const every = operationsOn(await fill(call), call);
  const answers = await answersTo(every, call);
  const { uri } = JSON.parse(await readFile(join(data.path, 'database', 'engine.json'), 'utf8'));
  const client = await new MongoClient(uri).connect();
  floor = await startFloor(uri, { answers });
  const names = process.argv.slice(2);
  const rows = [];
  for (const operation of every) {
    if (names.length > 0 && !names.some((name) => operation.name.includes(name))) continue;
    const row = await measured(operation, { service, floor, client });
    console.log(`${row.operation}: ${row['requests/s']}/s, ${row.ratio} of the floor`);
    rows.push(row);
  }
  await client.close();
  const itself = {
    ready: Number((service.ready / 1000).toFixed(2)),
    idle: Math.round(idle),
    after: Math.round(await anonymousMemory(service.pid)),
  };
  console.table(rows);
  console.table({
    'ready after, s': itself.ready,
    'RssAnon idle, MiB': itself.idle,
    'after the run, MiB': itself.after,
  });
  const missed = missedBy(rows, itself);
  for (const one of missed) console.log(`Missed: ${one}`);
  const machine = `${cpus().length} x ${cpus()[0].model}`;
  await mkdir('bench', { recursive: true });
  await writeFile(
    'bench/results.json',
    `${JSON.stringify({ at: new Date().toISOString(), node: process.version, machine, rows, itself, missed }, null, 2)}\n`,
  );
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  floor?.stop();
  await service.stop();
  await data.remove();
}
process.exit();
