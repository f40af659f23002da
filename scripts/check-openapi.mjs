// Has a new service read a real description of an API, from a server of our own: npm run check:openapi -- FILE
import { readFile } from 'node:fs/promises';
import { measureOpenapi, percentile } from './openapi-times.mjs';
import { callerOf, startService, temporaryFolder } from './service.mjs';

/** Seconds, and ms, that it may take. */
const MAX_SECONDS = 15;
const MAX_P99 = 100;
/** How many times it is read: one time leaves room for a few dozen requests, of which the slowest would be the 99th percentile. */
const ROUNDS = 5;

const [file] = process.argv.slice(2);
if (!file) {
  console.error('Say which description: npm run check:openapi -- FILE');
  process.exit(2);
}

const failures = [];
const data = await temporaryFolder();
const service = await startService(data.path, { OUTBOUND_ALLOW: '127.0.0.1' });
try {
  const call = callerOf(service.url);
  const text = await readFile(file);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rounds.push(await measureOpenapi(call, `checked-${String(round)}`, text));
  }
  const [{ at, spec, p99AtRest }] = rounds;
  const seconds = Math.max(...rounds.map((round) => round.seconds));
  const times = rounds.flatMap((round) => round.times);
  const p99 = percentile(times);
  console.log(`${(text.length / 1e6).toFixed(1)} MB read ${ROUNDS} times, in ${seconds.toFixed(2)} s at the most`);
  console.log(
    `reading a space meanwhile: p99 ${p99.toFixed(0)} ms of ${times.length}, ${p99AtRest.toFixed(0)} ms before`,
  );
  if (seconds > MAX_SECONDS) failures.push(`it takes more than ${MAX_SECONDS} s`);
  if (p99 > MAX_P99) failures.push(`reading a space takes more than ${MAX_P99} ms`);
  if (spec.lastProcessErrorCode) failures.push(`it ends with ${spec.lastProcessErrorCode}`);
  else {
    const began = performance.now();
    const { added, removed, changed, breaking } = await call('GET', `${at}/versions/latest/changes`);
    const count = (kind) => added.filter((part) => part.kind === kind).length;
    console.log(
      `${count('operation')} operations, ${count('webhook')} webhooks, ${count('schema')} schemas, listed in ${((performance.now() - began) / 1000).toFixed(2)} s`,
    );
    if (removed.length + changed.length + breaking.length > 0) failures.push('the first version has changed something');
    const content = await call('GET', `${at}/versions/latest/content`);
    if (!content.filesystem['openapi.json'].info) failures.push('its content has no info');
  }
} finally {
  await service.stop();
  await data.remove();
}

for (const failure of failures) console.error(`WRONG  ${failure}`);
console.log(failures.length === 0 ? 'All is as it should be.' : `${failures.length} things are wrong.`);
process.exit(failures.length === 0 ? 0 : 1);
