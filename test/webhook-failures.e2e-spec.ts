import { setTimeout as wait } from 'node:timers/promises';
import type { Organization } from '../src/organizations/index.js';
import type { Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { until } from './support/until.js';
import { letTimePass, type WebhookReceiver } from './support/webhook-receiver.js';
import { givenWebhooks, HOUR, type List, refusal } from './support/webhooks.js';

const NO_DELIVERY = refusal(404, 'Webhook delivery not found');

describe('webhooks', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let organization: Organization & { admin: TestUser };
  let space: Space;
  let admin: TestUser;
  let root: string;

  const { make, read, change, deliveries, edit, over, attempted, records } = givenWebhooks((given) => {
    ({ app, receiver, organization, space, admin, root } = given);
  });
  const redeliver = (id: string, delivery: string) =>
    app.as(admin).post(`${root}/${id}/deliveries/${delivery}/redeliver`);

  describe('that fail', () => {
    /** Another process on the same database; open until the end, as Passport looks up all tokens in the one that began last. */
    let second: TestApp | undefined;
    afterAll(() => second?.nest.close());

    it('are tried again, and nothing of the same space comes before', async () => {
      const { id, path } = await make();
      const second = await app.create.space({ organization });
      receiver.react = ({ data }) => (data.space === space._id ? 500 : 200);
      const waiting = [await edit('One'), await edit('Two'), await edit('Three')];
      const free = await edit('Other', second._id);
      await until('the other space is told of', () => receiver.at(path).some(({ data }) => data.revision === free));
      await until('it failed', async () =>
        (await deliveries(id)).items.some(({ attempts, status }) => status === 'pending' && attempts === 1),
      );
      const pending = (await deliveries(id)).items.filter(({ status }) => status === 'pending');
      expect(pending.map(({ attempts }) => attempts)).toEqual([0, 0, 1]);
      await letTimePass(app);
      await until('the second attempt', () => receiver.at(path).length === 3);
      receiver.react = () => 200;
      await until('it is noted', async () => (await deliveries(id)).items.some(({ attempts }) => attempts === 2));
      await letTimePass(app);
      await over(id);
      const came = receiver.at(path).filter(({ data }) => data.space === space._id);
      expect(came.map(({ data }) => data.revision)).toEqual([waiting[0], waiting[0], ...waiting]);
      expect(new Set(came.slice(0, 3).map(({ id: sent }) => sent)).size).toBe(1);
      expect(await read(id)).not.toHaveProperty('failingSince');
    });

    it('are given up after a day, and the next one has its turn', async () => {
      const { id } = await make();
      receiver.react = () => 'break';
      const first = await edit('One');
      for (let attempts = 1; attempts < 10; attempts += 1) {
        await attempted(id, attempts);
        if (attempts === 9) break;
        await letTimePass(app);
      }
      receiver.react = ({ data }) => (data.revision === first ? 503 : 200);
      await edit('Two');
      await letTimePass(app);
      const [two, one] = await over(id);
      expect([two?.status, one?.status, one?.attempts]).toEqual(['delivered', 'failed', 10]);
      expect(one).not.toHaveProperty('nextAttemptAt');
    });

    it('are delivered once more where somebody asks for it, with the same id, behind what waits', async () => {
      const { id, path } = await make();
      await edit();
      const [before] = await over(id);
      const { body } = await redeliver(id, before?.id ?? '').expect(200);
      expect(body).toEqual({ ...before, status: 'pending', attempts: 0 });
      await over(id);
      expect(receiver.at(path).map(({ id: sent }) => sent)).toEqual([before?.id, before?.id]);

      receiver.react = () => 500;
      await edit();
      await attempted(id, 1);
      const pending = (await deliveries(id)).items[0]?.id ?? '';
      expect((await redeliver(id, pending).expect(409)).body).toEqual(refusal(409, 'The delivery is still under way'));
      expect((await redeliver(id, 'nothing').expect(404)).body).toEqual(NO_DELIVERY);
      const { id: other } = await make();
      expect((await redeliver(other, before?.id ?? '').expect(404)).body).toEqual(NO_DELIVERY);
      await change(id, { active: false }).expect(200);
      expect((await redeliver(id, before?.id ?? '').expect(409)).body).toEqual(
        refusal(409, 'The webhook is switched off: set active to true first'),
      );
      await letTimePass(app);
      expect((await over(id))[0]).toMatchObject({ status: 'failed', error: 'The webhook was switched off' });
      expect(receiver.at(path)).toHaveLength(3);
    });

    it('are switched off after three days, by the service itself, until somebody switches them on', async () => {
      const { id } = await make();
      receiver.react = () => 500;
      await edit();
      await attempted(id, 1);
      expect(await read(id)).toMatchObject({ active: true, failingSince: ISO });
      await records().updateOne({ _id: id }, { $set: { failingSince: new Date(Date.now() - 73 * HOUR) } });
      await letTimePass(app);
      await until('it is off', async () => (await records().findOne({ _id: id }))?.active === false);
      expect(await read(id)).toMatchObject({ active: false, disabledReason: 'failing', failingSince: ISO });
      const { body } = await app.as(admin).get(`/v1/orgs/${organization._id}/audit-events`).expect(200);
      expect((body as List<object>).items[0]).toMatchObject({
        actor: { type: 'system' },
        action: 'webhook.update',
        resource: { object: 'webhook', id },
        changes: { active: { before: true, after: false }, disabledReason: { before: null, after: 'failing' } },
      });
      receiver.react = () => 200;
      const { body: on } = await change(id, { active: true }).expect(200);
      expect(on).not.toHaveProperty('disabledReason');
      expect(on).not.toHaveProperty('failingSince');
      await edit();
      const [after, given] = await over(id);
      expect(after).toMatchObject({ status: 'delivered', attempts: 1 });
      expect(given).toMatchObject({ status: 'failed', attempts: 2, error: 'The webhook was switched off' });
    });

    it('are switched off after many that were given up, and at once when the address is gone', async () => {
      const { id } = await make();
      receiver.react = () => 500;
      await edit();
      await attempted(id, 1);
      await records().updateOne({ _id: id }, { $set: { givenUp: 50 } });
      await letTimePass(app);
      await until('it is off', async () => (await records().findOne({ _id: id }))?.active === false);
      expect(await read(id)).toMatchObject({ disabledReason: 'failing' });
      const gone = await make();
      receiver.react = () => 410;
      await edit();
      await until('it is off', async () => (await records().findOne({ _id: gone.id }))?.active === false);
      expect(await read(gone.id)).toMatchObject({ active: false, disabledReason: 'gone' });
    });

    it('are switched off when too many wait for the same resource', async () => {
      const { id } = await make();
      receiver.react = () => 500;
      await edit();
      await attempted(id, 1);
      const lanes = app.connection.collection<{ _id: string; webhook: string }>('webhook_lanes');
      await lanes.updateOne({ webhook: id }, { $inc: { sequence: 10_000 } });
      await letTimePass(app);
      await until('it is off', async () => (await records().findOne({ _id: id }))?.active === false);
      expect(await read(id)).toMatchObject({ disabledReason: 'failing' });
    });

    it('are tried at once where somebody gives another address, or switches them off and on', async () => {
      const { id, path } = await make();
      receiver.react = (arrival) => (arrival.path === path ? 500 : 200);
      await edit();
      await attempted(id, 1);
      await change(id, { active: false }).expect(200);
      await change(id, { active: true }).expect(200);
      await attempted(id, 2);
      await change(id, { url: `${receiver.url}/new${path}` }).expect(200);
      expect(await over(id)).toEqual([expect.objectContaining({ status: 'delivered', attempts: 3 })]);
    });

    it('go in order through several processes, each to be delivered by whoever is free', async () => {
      const { id, path } = await make();
      const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
      uri.pathname = `/${app.connection.name}`;
      second = await startApp({ OUTBOUND_ALLOW: '127.0.0.1', MONGODB_URI: uri.href });
      receiver.react = async () => {
        await wait(Math.random() * 20);
        return 200;
      };
      const made: string[] = [];
      for (let n = 0; n < 12; n += 1) {
        const changes = [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Text.' } }];
        const through = n % 2 === 0 ? app : second;
        const sent = through.as(admin).post(`/v1/spaces/${space._id}/content`).send({ changes });
        made.push(((await sent.expect(200)).body as { revision: string }).revision);
      }
      await over(id);
      expect(receiver.at(path).map(({ data }) => data.revision)).toEqual(made);
    });

    it('leave nothing behind when they are removed', async () => {
      const { id } = await make();
      receiver.react = () => 500;
      await edit('One');
      await edit('Two');
      await until('it failed', async () => (await deliveries(id)).items.some(({ attempts }) => attempts === 1));
      await app.as(admin).delete(`${root}/${id}`).expect(205);
      await letTimePass(app);
      const left = async (): Promise<number> =>
        (await app.connection.collection('webhook_deliveries').countDocuments({ webhook: id })) +
        (await app.connection.collection('webhook_lanes').countDocuments({ webhook: id }));
      await until('nothing is left', async () => (await left()) === 0);
    });
  });
});
