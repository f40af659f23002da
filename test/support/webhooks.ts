import { newId } from '../../src/common/ids.js';
import type { Organization } from '../../src/organizations/index.js';
import type { Space } from '../../src/spaces/index.js';
import { RETRIES } from '../../src/webhooks/retries.js';
import type { Webhook } from '../../src/webhooks/webhook.schema.js';
import { startApp, type TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { until } from './until.js';
import { WebhookReceiver } from './webhook-receiver.js';

export const HOUR = 60 * 60_000;
export const refusal = (code: number, message: unknown): object => ({ error: { code, message } });

/** A webhook, as it is made. */
export interface Made {
  id: string;
  url: string;
  secret: string;
}

/** What tests look at of a delivery. */
export interface Delivery {
  id: string;
  status: string;
  attempts: number;
  data: Record<string, string>;
  error?: string;
}

export interface List<T> {
  items: T[];
  count: number;
  next?: { page: string };
}

/** What a test of webhooks begins with. */
export interface GivenWebhooks {
  /** The service, the same for all tests around. */
  app: TestApp;
  /** Takes everything, until a test says otherwise. */
  receiver: WebhookReceiver;
  /** A new organization. */
  organization: Organization & { admin: TestUser };
  admin: TestUser;
  /** A space of it. */
  space: Space;
  /** Path of its webhooks. */
  root: string;
}

/**
 * Starts the service and a receiver for the tests around, and hands them to `use` before each of them, with a new organization. No
 * attempt but the first is made before a test lets the time go by. Answers what they do with webhooks, as the administrator.
 */
export function givenWebhooks(use: (given: GivenWebhooks) => void) {
  let given: GivenWebhooks;
  let app: TestApp;
  let receiver: WebhookReceiver;
  /** How long is waited as the service comes. */
  const waits = [...RETRIES];

  beforeAll(async () => {
    (RETRIES as number[]).fill(HOUR);
    receiver = await WebhookReceiver.start();
    app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  });
  afterAll(async () => {
    (RETRIES as number[]).splice(0, waits.length, ...waits);
    await app.close();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.react = () => 204;
    const organization = await app.create.organization();
    const { admin } = organization;
    const space = await app.create.space({ organization });
    given = { app, receiver, organization, admin, space, root: `/v1/orgs/${organization._id}/webhooks` };
    use(given);
  });

  const asAdmin = () => app.as(given.admin);
  /** A webhook of the organization with a path of its own at the receiver. */
  const make = async (body: object = {}): Promise<Made & { path: string }> => {
    const path = `/${newId()}`;
    const sent = { url: receiver.url + path, events: ['content.updated'], ...body };
    return { ...((await asAdmin().post(given.root).send(sent).expect(201)).body as Made), path };
  };
  const read = async (id: string): Promise<object> =>
    (await asAdmin().get(`${given.root}/${id}`).expect(200)).body as object;
  const change = (id: string, body: object) => asAdmin().patch(`${given.root}/${id}`).send(body);
  const deliveries = async (id: string): Promise<List<Delivery>> =>
    (await asAdmin().get(`${given.root}/${id}/deliveries`).expect(200)).body as List<Delivery>;
  /** Adds a page; answers the new revision. */
  const edit = async (title = 'Page', of: string = given.space._id): Promise<string> => {
    const changes = [{ operation: 'insert_page', title, document: { markdown: 'Text.' } }];
    const { body } = await asAdmin().post(`/v1/spaces/${of}/content`).send({ changes }).expect(200);
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
  return { make, read, change, deliveries, edit, over, attempted, records };
}
