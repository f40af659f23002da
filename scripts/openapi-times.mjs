// Has a running service read a description of an API from a server of our own, and measures what others notice of it.
import { createServer } from 'node:http';

/** How often the state of the description is asked for, ms. */
const POLL = 50;

/** Serves `text` on the loopback address while `work` runs with its address. */
async function serving(text, work) {
  const server = createServer((_request, response) => response.end(text));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${server.address().port}/openapi`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Reads of a space before anything else happens: what the service does for the first time takes longer. */
const AT_REST = 200;

/** The time that 99 of 100 of `times` keep within. */
export const percentile = (times) =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0;

/**
 * Has `call` put `text` as the description `slug` of the first organization, and reads a space again and again meanwhile.
 * Answers the description, the seconds until it was read, how long each read of the space took meanwhile, in ms, and the 99th
 * percentile of that: meanwhile, and before.
 */
export async function measureOpenapi(call, slug, text) {
  const organization = (await call('GET', '/v1/orgs')).items[0].id;
  const { id: space } = await call('POST', `/v1/orgs/${organization}/spaces`, { title: 'Measured' });
  const at = `/v1/orgs/${organization}/openapi/${slug}`;
  const timed = async () => {
    const start = performance.now();
    await call('GET', `/v1/spaces/${space}`);
    return performance.now() - start;
  };
  const atRest = [];
  while (atRest.length < AT_REST) atRest.push(await timed());
  return serving(text, async (url) => {
    const began = performance.now();
    let spec = await call('PUT', at, { source: { url } });
    const times = [];
    for (let asked = began; spec.processingState !== 'complete';) {
      times.push(await timed());
      if (performance.now() - asked < POLL) continue;
      asked = performance.now();
      spec = await call('GET', at);
    }
    const seconds = (performance.now() - began) / 1000;
    return {
      at,
      spec,
      seconds,
      times,
      p99: percentile(times),
      p99AtRest: percentile(atRest.slice(AT_REST / 2)),
    };
  });
}
