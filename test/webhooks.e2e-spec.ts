import { newId } from '../src/common/ids.js';
import { JsonLogger } from '../src/common/logger.js';
import type { Organization } from '../src/organizations/index.js';
import type { Space } from '../src/spaces/index.js';
import { WEBHOOK_EVENTS } from '../src/webhooks/webhook-events.js';
import { MAX_WEBHOOKS } from '../src/webhooks/webhook.schema.js';
import type { TestApp } from './support/app.js';
import { ID, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { isSigned, letTimePass, type WebhookReceiver } from './support/webhook-receiver.js';
import { givenWebhooks, type List, type Made, refusal } from './support/webhooks.js';

const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string;
const NO_WEBHOOK = refusal(404, 'Webhook not found');

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
