import { setTimeout as wait } from 'node:timers/promises';
import { Jobs } from '../src/jobs/index.js';
import type { Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { until } from './support/until.js';

const JOBS = [
  ...['clean-up-audit', 'deliver-webhooks', 'index-content', 'purge-spaces', 'sweep-content', 'clean-up-uploads'],
  'process-openapi',
];
const DAY = 24 * 60 * 60_000;

describe('jobs of the service', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function metrics(): Promise<Map<string, number>> {
    const user = await app.create.user();
    const { text } = await app.as(user).get('/metrics').expect(200);
    const lines = text.split('\n').filter((line) => line.startsWith('job_'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  }

  it('remove what is over, and can be seen in the metrics', async () => {
    const space = await app.create.space();
    const client = app.as(space.admin);
    const change = { operation: 'insert_page', title: 'Page', document: { markdown: `Text of ${space._id}` } };
    await client
      .post(`/v1/spaces/${space._id}/content`)
      .send({ changes: [change] })
      .expect(200);
    await client.delete(`/v1/spaces/${space._id}`).expect(205);
    const long = new Date(Date.now() - 8 * DAY);
    const spaces = app.connection.collection<Space>('spaces');
    await spaces.updateOne({ _id: space._id }, { $set: { deletedAt: long } });
    await app.connection.collection('documents').updateMany({}, { $set: { touchedAt: long } });

    for (const [name, value] of await metrics()) {
      if (name.startsWith('job_locked')) expect(value).toBe(0);
    }
    await wait(100);
    expect(await app.connection.collection('jobs').countDocuments()).toBe(0);
    const jobs = app.nest.get(Jobs, { strict: false });
    await jobs.start({ poll: 20, lock: 600_000 });
    expect(jobs.names().all.sort()).toEqual(JOBS.toSorted());

    const left = async () =>
      (await spaces.countDocuments({ _id: space._id })) +
      (await app.connection.collection('documents').countDocuments());
    await until('nothing is left', async () => {
      // purged first, its texts are removed with the next sweep
      await app.connection.collection('sweeps').updateMany({ phase: 'done' }, { $set: { startedAt: long } });
      await jobs.now('sweep-content');
      await wait(50);
      return (await left()) === 0;
    });
    const seen = await metrics();
    for (const job of JOBS) {
      expect(seen.get(`job_duration_seconds_count{job="${job}"}`)).toBeGreaterThanOrEqual(1);
      expect(seen.get(`job_failures_total{job="${job}"}`)).toBe(0);
      expect(seen.get(`job_last_success_timestamp_seconds{job="${job}"}`)).toBeGreaterThan(Date.now() / 1000 - 60);
      expect([0, 1]).toContain(seen.get(`job_locked{job="${job}"}`));
    }
  });
});
