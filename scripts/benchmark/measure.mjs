// How the benchmark measures: load from outside, processor time by thread, memory, commands of the database.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { TOKEN } from '../service.mjs';

export const CONNECTIONS = 10;
/** Between the times that commands are counted, in ms: longer than what runs by the clock takes. */
const PAUSE = 300;

const READS = ['find', 'aggregate', 'getmore', 'count', 'distinct'];
const WRITES = ['insert', 'update', 'delete', 'findandmodify'];

/** Memory of the process that is not of files, in MiB: the mapped database does not count. */
export async function anonymousMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+)/.exec(status)[1]) / 1024;
}

/** Milliseconds of processor time that each thread of the process has had, by thread. */
async function processorTimes(pid) {
  const times = new Map();
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
    times.set(thread, Number(stat.split(' ')[0]) / 1e6);
  }
  return times;
}

/** Of what the process has used since `before`: all of it, and without its busiest thread beside the main one, the engine. */
async function processorTimeSince(pid, before) {
  const used = [...(await processorTimes(pid))].map(([thread, time]) => [thread, time - (before.get(thread) ?? 0)]);
  const all = used.reduce((sum, [, time]) => sum + time, 0);
  const others = used.filter(([thread]) => thread !== String(pid)).map(([, time]) => time);
  return { all, withoutEngine: all - Math.max(0, ...others) };
}

/**
 * Sends the requests of `next` over ten connections, for `seconds` or `amount` of them. @throws Error when one is not answered
 * with a success.
 */
export async function load({ url, pid }, { name, next }, limits) {
  const requests = [
    {
      setupRequest: (request) => {
        const { method, path, body } = next();
        return { ...request, method, path, ...(body && { body: JSON.stringify(body) }) };
      },
    },
  ];
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const before = await processorTimes(pid);
  const started = performance.now();
  let last = started;
  const loading = autocannon({ url, connections: CONNECTIONS, headers, requests, ...limits });
  // it looks once a second whether it is done
  loading.on('response', () => (last = performance.now()));
  const result = await loading;
  const seconds = (last - started) / 1000;
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
  }
  const { total } = result.requests;
  const { all, withoutEngine } = await processorTimeSince(pid, before);
  return {
    rate: total / (limits.duration ?? seconds),
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: all / total,
    cpuWithoutEngine: withoutEngine / total,
  };
}

/** Reads and writes of the database that one request makes, with nothing else under way; the commit of a transaction is neither. */
export async function commandsOf({ url }, { next }, client) {
  const counts = [];
  // what runs by the clock may come in between: the fewest are those of the request
  for (let n = 0; n < 3; n += 1) {
    if (n > 0) await wait(PAUSE);
    const before = await sentTo(client);
    const { method, path, body } = next();
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const bytes = (await answer.arrayBuffer()).byteLength;
    const after = await sentTo(client);
    const sum = (names) => names.reduce((all, name) => all + (after[name] ?? 0) - (before[name] ?? 0), 0);
    counts.push({ reads: sum(READS), writes: sum(WRITES), bytes });
  }
  return counts.reduce((least, one) => (one.reads + one.writes < least.reads + least.writes ? one : least));
}

async function sentTo(client) {
  const { metrics } = await client.db('admin').command({ serverStatus: 1 });
  return Object.fromEntries(Object.entries(metrics.commands).map(([name, { total }]) => [name.toLowerCase(), total]));
}
