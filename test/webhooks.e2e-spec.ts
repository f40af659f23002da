import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../src/common/ids.js';
import { JsonLogger } from '../src/common/logger.js';
import type { Organization } from '../src/organizations/index.js';
import type { Space } from '../src/spaces/index.js';
import { WEBHOOK_EVENTS } from '../src/webhooks/webhook-events.js';
import { RETRIES } from '../src/webhooks/retries.js';
import { MAX_WEBHOOKS, type Webhook } from '../src/webhooks/webhook.schema.js';
import { startApp, type TestApp } from './support/app.js';
import { ID, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { until } from './support/until.js';
import { isSigned, letTimePass, WebhookReceiver } from './support/webhook-receiver.js';

const HOUR = 60 * 60_000;
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_WEBHOOK = refusal(404, 'Webhook not found');
const NO_DELIVERY = refusal(404, 'Webhook delivery not found');

interface Made {
  id: string;
  url: string;
  secret: string;
}
interface Delivery {
  id: string;
  status: string;
  attempts: number;
  data: Record<string, string>;
  error?: string;
}
interface List<T> {
  items: T[];
  count: number;
  next?: { page: string };
}

describe('webhooks', () => {
  let app: TestApp;
  /** Another process on the same database. */
  let second: TestApp | undefined;
  let receiver: WebhookReceiver;
  let organization: Organization & { admin: TestUser };
  let space: Space;
  let admin: TestUser;
  let root: string;

  /** How long is waited as the service comes: here no attempt but the first is made before the test lets the time go by. */
  const waits = [...RETRIES];

  beforeAll(async () => {
    (RETRIES as number[]).fill(HOUR);
    receiver = await WebhookReceiver.start();
    app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  });
  afterAll(async () => {
    (RETRIES as number[]).splice(0, waits.length, ...waits);
    await second?.nest.close();
    await app.close();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.react = () => 204;
    organization = await app.create.organization();
    admin = organization.admin;
    space = await app.create.space({ organization });
    root = `/v1/orgs/${organization._id}/webhooks`;
  });

  /** A webhook of the organization with a path of its own at the receiver. */
  const make = async (body: object = {}): Promise<Made & { path: string }> => {
    const path = `/${newId()}`;
    const sent = { url: receiver.url + path, events: ['content.updated'], ...body };
    return { ...((await app.as(admin).post(root).send(sent).expect(201)).body as Made), path };
  };
  const read = async (id: string): Promise<object> =>
    (await app.as(admin).get(`${root}/${id}`).expect(200)).body as object;
  const change = (id: string, body: object) => app.as(admin).patch(`${root}/${id}`).send(body);
  const deliveries = async (id: string): Promise<List<Delivery>> =>
    (await app.as(admin).get(`${root}/${id}/deliveries`).expect(200)).body as List<Delivery>;
  const redeliver = (id: string, delivery: string) =>
    app.as(admin).post(`${root}/${id}/deliveries/${delivery}/redeliver`);
  const edit = async (title = 'Page', of: string = space._id): Promise<string> => {
    const changes = [{ operation: 'insert_page', title, document: { markdown: 'Text.' } }];
    const { body } = await app.as(admin).post(`/v1/spaces/${of}/content`).send({ changes }).expect(200);
    return (body as { revision: string }).revision;
  };
  /** Waits until no delivery to the webhook is pending; answers them, newest first. */
  const over = async (id: string): Promise<Delivery[]> => {
    const pending = async () => (await deliveries(id)).items.some(({ status }) => status === 'pending');
    await until('nothing is pending', async () => !(await pending()));
    return (await deliveries(id)).items;
  };
  /** Waits until the newest delivery was attempted `attempts` times: no more before the time is let go by. */
  const attempted = (id: string, attempts: number): Promise<void> =>
    until(`${String(attempts)} attempts`, async () => ((await deliveries(id)).items[0]?.attempts ?? 0) >= attempts);
  const records = () => app.connection.collection<Webhook>('webhooks');

  describe('of an organization', () => {
    it('are made with a secret that is shown once, and nowhere else', async () => {
      const url = `${receiver.url}/made?token=t`;
      const { body, headers } = await app
        .as(admin)
        .post(root)
        .send({ url, events: ['content.updated', 'comment.added'] })
        .expect(201);
      const { id, secret, ...shown } = body as Made;
      expect({ id, secret, ...shown }).toEqual({
        object: 'webhook',
        id: ID,
        url,
        events: ['content.updated', 'comment.added'],
        active: true,
        createdAt: ISO,
        secret: SECRET,
        urls: { location: `http://docs.test${root}/${id}` },
      });
      expect(headers.location).toBe(`http://docs.test${root}/${id}`);
      expect(await read(id)).toEqual({ id, ...shown });
      expect((await app.as(admin).get(root).expect(200)).body).toEqual({ count: 1, items: [{ id, ...shown }] });
      expect((await change(id, {}).expect(200)).body).toEqual({ id, ...shown });
      const stored = await records().findOne({ _id: id });
      expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
    });

    it('are listed newest first, page by page, and changed and removed', async () => {
      const made = [await make(), await make(), await make({ active: false })];
      const ids: string[] = [];
      for (let page: string | undefined; ;) {
        const { body } = await app.as(admin).get(root).query({ limit: 2, page }).expect(200);
        const { items, count, next } = body as List<Made>;
        expect([count, JSON.stringify(items).includes('whsec_')]).toEqual([3, false]);
        ids.push(...items.map(({ id }) => id));
        if (!next) break;
        page = next.page;
      }
      expect(ids).toEqual(made.map(({ id }) => id).reverse());
      const id = ids[0] ?? '';
      const body = { url: 'https://example.org/new', events: ['site.published', 'spec.processed'], active: true };
      expect((await change(id, body).expect(200)).body).toEqual({ ...(await read(id)), ...body });
      await app.as(admin).delete(`${root}/${id}`).expect(205);
      expect((await app.as(admin).get(`${root}/${id}`).expect(404)).body).toEqual(NO_WEBHOOK);
      expect((await change(id, {}).expect(404)).body).toEqual(NO_WEBHOOK);
      expect((await app.as(admin).delete(`${root}/${id}`).expect(404)).body).toEqual(NO_WEBHOOK);
      expect((await app.as(admin).get(`${root}/${id}/deliveries`).expect(404)).body).toEqual(NO_WEBHOOK);
    });

    it.each([
      [{ url: undefined }, 'url'],
      [{ url: null }, 'url'],
      [{ url: 'ftp://example.org/' }, 'url'],
      [{ url: '/hooks' }, 'url'],
      [{ url: `https://example.org/${'x'.repeat(2050)}` }, 'url'],
      [{ url: 'https://ann:secret@example.org/' }, 'url must be an address without a user name'],
      [{ url: 'https://example.org/#part' }, 'url must be an address without a user name'],
      [{ events: undefined }, 'events'],
      [{ events: [] }, 'events'],
      [{ events: 'content.updated' }, 'events'],
      [{ events: ['content.updated', 'content.updated'] }, 'events'],
      [{ events: ['content.updated', 'user.renamed'] }, 'events'],
      [{ events: [{ $ne: null }] }, 'events'],
      [{ active: null }, 'active'],
      [{ active: 'yes' }, 'active'],
    ])('are refused with %j', async (wrong, named) => {
      const { id } = await make();
      const whole = { url: 'https://example.org/', events: [...WEBHOOK_EVENTS], ...wrong };
      const { body } = await app.as(admin).post(root).send(whole).expect(400);
      expect(body).toEqual(refusal(400, expect.stringContaining(named)));
      const before = await read(id);
      const sent = Object.entries(wrong).filter(([, value]) => value !== undefined);
      await change(id, Object.fromEntries(sent)).expect(sent.length === 0 ? 200 : 400);
      expect(await read(id)).toEqual(before);
      expect(((await app.as(admin).get(root)).body as List<Made>).count).toBe(1);
    });

    it('are at most as many as there may be', async () => {
      const { id } = await make();
      const stored = await records().findOne({ _id: id });
      if (!stored) throw new Error('It was not stored');
      await records().insertMany(Array.from({ length: MAX_WEBHOOKS - 1 }, () => ({ ...stored, _id: newId() })));
      const sent = { url: receiver.url, events: ['content.updated'] };
      const { body } = await app.as(admin).post(root).send(sent).expect(409);
      expect(body).toEqual(refusal(409, 'An organization has at most 100 webhooks'));
    });

    it('belong to it alone', async () => {
      const { id, path } = await make();
      const other = await app.create.organization();
      const there = `/v1/orgs/${other._id}/webhooks`;
      const as = app.as(other.admin);
      expect((await as.get(`${there}/${id}`).expect(404)).body).toEqual(NO_WEBHOOK);
      expect((await as.get(`${there}/${id}/deliveries`).expect(404)).body).toEqual(NO_WEBHOOK);
      const theirs = await app.create.space({ organization: other });
      const changes = [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Text.' } }];
      await as.post(`/v1/spaces/${theirs._id}/content`).send({ changes }).expect(200);
      await edit();
      await over(id);
      expect(receiver.at(path).map(({ data }) => data.organization)).toEqual([organization._id]);
    });
  });

  describe('are told', () => {
    it('of edits, merges and comments, signed, each event in a delivery that is listed', async () => {
      const { id, path, secret } = await make({ events: [...WEBHOOK_EVENTS] });
      const first = await edit();
      const at = `/v1/spaces/${space._id}`;
      const { body: proposal } = await app.as(admin).post(`${at}/change-requests`).send({}).expect(201);
      const request = `${at}/change-requests/${(proposal as Made).id}`;
      const changes = [{ operation: 'insert_page', title: 'Proposed', document: { markdown: 'More.' } }];
      await app.as(admin).post(`${request}/content`).send({ changes }).expect(200);
      const text = { body: { markdown: 'Well.' } };
      const remark = await app.as(admin).post(`${request}/comments`).send(text).expect(200);
      const merged = (await app.as(admin).post(`${request}/merge`).expect(200)).body as { revision: string };
      const comment = await app.as(admin).post(`${at}/comments`).send(text).expect(200);
      const listed = await over(id);

      const common = { organization: organization._id, space: space._id };
      const changeRequest = (proposal as Made).id;
      const author = admin._id;
      const expected = [
        ['content.updated', { ...common, revision: first, author }],
        ['comment.added', { ...common, changeRequest, comment: (remark.body as Made).id, author }],
        ['content.updated', { ...common, revision: merged.revision, author }],
        ['change-request.merged', { ...common, changeRequest, revision: merged.revision }],
        ['comment.added', { ...common, comment: (comment.body as Made).id, author }],
      ] as const;
      const arrivals = receiver.at(path);
      const key = (data: object): string => JSON.stringify(Object.entries(data).sort());
      expect(arrivals.map(({ type, data }) => [type, key(data)]).sort()).toEqual(
        expected.map(([type, data]) => [type, key(data)]).sort(),
      );
      for (const arrival of arrivals) {
        expect(isSigned(arrival, secret)).toBe(true);
        expect(isSigned({ ...arrival, body: `${arrival.body} ` }, secret)).toBe(false);
        expect(arrival.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': arrival.id });
        expect(Math.abs(Number(arrival.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
        const { type, timestamp, data } = arrival;
        expect(JSON.parse(arrival.body)).toEqual({ type, timestamp: ISO, data });
        const resource =
          type === 'change-request.merged' || data.changeRequest !== undefined
            ? { object: 'change-request', id: changeRequest }
            : { object: 'space', id: space._id };
        expect(listed.find((delivery) => delivery.id === arrival.id)).toEqual({
          object: 'webhook-delivery',
          id: arrival.id,
          event: type,
          at: timestamp,
          resource,
          data,
          status: 'delivered',
          attempts: 1,
          lastAttemptAt: ISO,
          answer: { status: 204, body: '' },
        });
      }
    });

    it('of nothing else, not of what is refused, and not while they are off', async () => {
      const [off, other] = [await make({ active: false }), await make({ events: ['comment.added'] })];
      await edit();
      const changes = [{ operation: 'delete_page', page: 'nothing' }];
      await app.as(admin).post(`/v1/spaces/${space._id}/content`).send({ changes }).expect(400);
      for (const { id } of [off, other]) expect(await deliveries(id)).toEqual({ count: 0, items: [] });
    });

    it('without a redirect being followed, and with no more of an answer being kept than 1 KiB', async () => {
      const { id, path } = await make();
      receiver.react = () => ({
        status: 302,
        headers: { Location: `${receiver.url}/elsewhere` },
        body: 'é'.repeat(5000),
      });
      await edit();
      await attempted(id, 1);
      const [delivery] = (await deliveries(id)).items;
      expect(delivery).toEqual(
        expect.objectContaining({
          status: 'pending',
          nextAttemptAt: ISO,
          answer: { status: 302, body: 'é'.repeat(512) },
          error: 'The address answered 302 where 2xx was expected',
        }),
      );
      expect([receiver.at(path).length, receiver.at('/elsewhere').length]).toEqual([1, 0]);
    });

    it('only at addresses that may be reached', async () => {
      const { id } = await make({ url: 'http://127.0.0.2/' });
      await edit();
      await attempted(id, 1);
      expect((await deliveries(id)).items[0]?.error).toMatch(/^The address is not fetched: it leads into a private/);
    });
  });

  describe('that fail', () => {
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

  it('keep their secrets and what was answered out of logs, and can be seen in the metrics', async () => {
    const written: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    app.nest.useLogger(new JsonLogger('debug'));
    const { id, secret } = await make();
    receiver.react = ({ body }) => ({ status: 500, body });
    await edit();
    await attempted(id, 1);
    receiver.react = () => 200;
    await letTimePass(app);
    await over(id);
    app.nest.useLogger(new JsonLogger('silent'));
    write.mockRestore();
    expect(written.join('')).not.toContain(secret.slice('whsec_'.length));
    const { text } = await app.as(admin).get('/metrics').expect(200);
    for (const outcome of ['delivered', 'failed', 'given-up']) {
      expect(text).toMatch(new RegExp(`webhook_attempt_duration_seconds_count\\{outcome="${outcome}"\\} \\d+`));
    }
  });
});
