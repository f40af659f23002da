import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mongoose';
import { type Caller, callerOf, startService, temporaryFolder } from '../scripts/service.mjs';
import { openEngine } from '../src/database/index.js';
import { cases } from './support/cases.js';
import { until } from './support/until.js';
import { letLeasesEnd, isSigned, type Reaction, WebhookReceiver } from './support/webhook-receiver.js';

/** How often the service is killed. */
const ROUNDS = cases(1, 40);
/** Spaces that are edited side by side, each in one edit after the other. */
const SPACES = 3;
/** Over how long the kills are spread, ms. */
const SPREAD = 1000;

describe('deliveries, while the receiver comes and goes and the service is killed', () => {
  let receiver: WebhookReceiver;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  let spaces: string[];
  let secret: string;
  let deliveries: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    folder = await temporaryFolder();
    const call = await start();
    const [organization] = (await call('GET', '/v1/orgs')).items as { id: string }[];
    const root = `/v1/orgs/${organization?.id ?? ''}`;
    spaces = [];
    for (let n = 0; n < SPACES; n += 1) spaces.push((await call('POST', `${root}/spaces`, {})).id as string);
    const made = await call('POST', `${root}/webhooks`, { url: receiver.url, events: ['content.updated'] });
    secret = made.secret as string;
    deliveries = `${root}/webhooks/${made.id as string}/deliveries`;
  });
  afterAll(async () => {
    await service?.stop();
    await receiver.close();
    await folder.remove();
  });

  const start = async (): Promise<Caller> => {
    service = await startService(folder.path, { OUTBOUND_ALLOW: '127.0.0.1' });
    return callerOf(service.url);
  };

  /** Lets the time go by after which what the killed service held is free again. */
  const letTimePass = async (): Promise<void> => {
    const engine = await openEngine(folder.path);
    const connection = await createConnection(engine.uri, { dbName: 'colophon' }).asPromise();
    await letLeasesEnd(connection);
    await connection.close();
    await engine.stop();
  };

  const edit = async (call: Caller, space: string): Promise<string> => {
    const changes = [{ operation: 'insert_page', document: { markdown: 'Text.' } }];
    return (await call('POST', `/v1/spaces/${space}/content`, { changes })).revision as string;
  };

  /** Edits `space` until that is no longer possible; adds the revisions that were acknowledged to `made`. */
  const write = async (call: Caller, space: string, made: string[]): Promise<void> => {
    for (;;) {
      const revision = await edit(call, space).catch(() => undefined);
      if (revision === undefined) return;
      made.push(revision);
    }
  };

  /** The revisions that a space has had but for its first, oldest first. */
  const historyOf = async (call: Caller, space: string): Promise<string[]> => {
    const line: string[] = [];
    let { revision } = (await call('GET', `/v1/spaces/${space}`)) as { revision?: string };
    while (revision !== undefined) {
      line.unshift(revision);
      const { parents } = (await call('GET', `/v1/spaces/${space}/revisions/${revision}`)) as { parents: string[] };
      revision = parents[0];
    }
    return line.slice(1);
  };

  /** What came of `space`, where what was sent several times in a row counts once. */
  const toldOf = (space: string): string[] =>
    receiver.arrivals
      .filter(({ data }) => data.space === space)
      .map(({ data }) => data.revision ?? '')
      .filter((revision, index, all) => revision !== all[index - 1]);

  it(
    `bring every event at least once, in order for each space, through ${ROUNDS} kills`,
    async () => {
      const made = spaces.map((): string[] => []);
      // up, down, and up; also in the midst of taking something, so that nobody knows whether it came
      let attempts = 0;
      const moody = (): Reaction => {
        attempts += 1;
        return ([200, 503, 'break'] as const)[Math.floor(attempts / 5) % 3] ?? 200;
      };
      let call = callerOf(service?.url ?? '');
      for (let round = 0; round < ROUNDS; round += 1) {
        receiver.react = moody;
        const writing = spaces.map((space, n) => write(call, space, made[n] ?? []));
        await wait(200 + Math.random() * SPREAD);
        await service?.kill();
        await Promise.all(writing);
        await letTimePass();
        call = await start();
      }
      receiver.react = () => 200;
      for (const [n, space] of spaces.entries()) made[n]?.push(await edit(call, space));
      const last = made.map((revisions) => revisions.at(-1) ?? '');
      await until('everything is delivered', () => spaces.every((space, n) => toldOf(space).at(-1) === last[n]));

      for (const [n, space] of spaces.entries()) {
        const history = await historyOf(call, space);
        expect(history).toEqual(expect.arrayContaining(made[n] ?? []));
        expect(toldOf(space)).toEqual(history);
      }
      const { arrivals } = receiver;
      expect(arrivals.every((arrival) => isSigned(arrival, secret))).toBe(true);
      const ids = new Set(arrivals.map(({ id }) => id));
      expect(new Set(arrivals.map(({ data }) => data.revision)).size).toBe(ids.size);
      expect((await call('GET', `${deliveries}?limit=1`)).count).toBe(ids.size);
      // the receiver really was away
      if (ROUNDS > 10) expect(arrivals.length).toBeGreaterThan(ids.size);
    },
    60_000 + ROUNDS * 20_000,
  );
});
