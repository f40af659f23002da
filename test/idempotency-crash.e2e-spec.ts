import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mongoose';
import { type RunningService, startService, temporaryFolder, TOKEN } from '../scripts/service.mjs';
import { openEngine } from '../src/database/index.js';
import { cases } from './support/cases.js';

/** How often the service is killed. */
const ROUNDS = cases(1, 40);
/** Requests that are under way when it is. */
const REQUESTS = 40;
/** Over how long the kills are spread, ms: about as long as the requests take. */
const SPREAD = 300;

describe('a service that is killed between writing and answering', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: RunningService | undefined;
  let root: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startService(folder.path);
    const answer = await fetch(`${service.url}/v1/orgs`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    const { items } = (await answer.json()) as { items: { id: string }[] };
    root = `/v1/orgs/${items[0]?.id ?? ''}`;
  });
  afterAll(async () => {
    await service?.stop();
    await folder.remove();
  });

  /** Makes the collection `title` with a key of that name. */
  const make = async (title: string) => {
    const answer = await fetch(`${service?.url ?? ''}${root}/collections`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', 'Idempotency-Key': title },
      body: JSON.stringify({ title }),
    });
    const body = (await answer.json()) as { id?: string };
    return { status: answer.status, isReplayed: answer.headers.has('Idempotent-Replayed'), id: body.id };
  };

  /** Keys whose request was carried out and whose answer was lost, of all rounds: they stay so. */
  const lostBefore = new Set<unknown>();

  /** Lets the time go by after which what the killed service held is free again; answers what the keys of this round had come to. */
  const letLeasesEnd = async (): Promise<string[]> => {
    const engine = await openEngine(folder.path);
    const connection = await createConnection(engine.uri, { dbName: 'colophon' }).asPromise();
    const keys = connection.collection('idempotency_keys');
    await keys.updateMany({}, { $set: { leaseUntil: new Date() } });
    const unanswered = await keys.find({ state: { $ne: 'answered' } }).toArray();
    await connection.close();
    await engine.stop();
    const states = unanswered.filter(({ _id }) => !lostBefore.has(_id)).map(({ state }) => state as string);
    for (const { _id, state } of unanswered) if (state === 'committed') lostBefore.add(_id);
    return states;
  };

  /** Ids of the collections with each of `titles`. */
  const madeOf = async (titles: string[]): Promise<string[][]> => {
    const answer = await fetch(`${service?.url ?? ''}${root}/collections?limit=1000`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    const { items } = (await answer.json()) as { items: { id: string; title: string }[] };
    return titles.map((title) => items.filter((one) => one.title === title).map(({ id }) => id));
  };

  it(
    `has done everything once after ${ROUNDS} kills, when all is sent again`,
    async () => {
      let interrupted = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const titles = Array.from({ length: REQUESTS }, (_, n) => `${round} ${n}`);
        const under = titles.map((title) => make(title).catch(() => undefined));
        await wait(Math.random() * SPREAD);
        await service?.kill();
        const told = await Promise.all(under);
        const states = await letLeasesEnd();
        interrupted += states.length;
        service = await startService(folder.path);
        const again = await Promise.all(titles.map((title) => make(title)));

        const made = await madeOf(titles);
        expect(made.map((ids) => ids.length)).toEqual(titles.map(() => 1));
        again.forEach(({ status, isReplayed, id }, n) => {
          // carried out before, with or without its answer, or now
          expect([201, 409]).toContain(status);
          if (status === 201) expect(id).toBe(made[n]?.[0]);
          const before = told[n];
          if (before) expect([status, isReplayed, id]).toEqual([201, true, before.id]);
        });
        const lost = again.filter(({ status }) => status === 409);
        expect(lost).toHaveLength(states.filter((state) => state === 'committed').length);
        await remove(made.flat());
      }
      if (ROUNDS > 10) expect(interrupted).toBeGreaterThan(0);
    },
    60_000 + ROUNDS * 20_000,
  );

  const remove = async (ids: string[]): Promise<void> => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const url = service?.url ?? '';
    await Promise.all(ids.map((id) => fetch(`${url}/v1/collections/${id}`, { method: 'DELETE', headers })));
  };
});
