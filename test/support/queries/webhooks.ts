import type { HeldLane } from '../../../src/webhooks/lanes.service.js';
import type { Queries } from '../tenants.js';

const SENT = { url: 'https://hooks.invalid/', events: ['spec.processed'] as 'spec.processed'[] };

/** Webhooks, and what is delivered to them. */
export const OF_WEBHOOKS: Queries = {
  'webhooks are made, listed and changed': async ({ organization: { _id } }, { webhooks }) => {
    for (let index = 0; index < 2; index += 1) await webhooks.create(_id, SENT);
    const { items, next } = await webhooks.list(_id, { limit: 1 });
    await webhooks.list(_id, { limit: 1, page: next?.page });
    const one = await webhooks.get(_id, items[0]?._id ?? '');
    await webhooks.update(one, { url: 'https://other.invalid/' });
    await webhooks.remove(one);
  },
  'events are written down, listed and delivered': async (
    { organization: { _id } },
    { webhooks, told, deliveries, lanes, attempts, webhookHealth },
  ) => {
    const { webhook } = await webhooks.create(_id, SENT);
    for (let index = 0; index < 3; index += 1) await told(_id, 'spec');
    const { next } = await deliveries.list(webhook, { limit: 1 });
    await deliveries.list(webhook, { limit: 1, page: next?.page });
    const taken = await lanes.take(['busy']);
    await lanes.take([]);
    const lane = { ...taken, webhook: webhook._id, _id: `${webhook._id}:openapi-spec:spec` } as HeldLane;
    await lanes.keep(lane);
    const found = await webhookHealth.find(lane.webhook);
    const delivery = await attempts.first(lane);
    if (!found || !delivery) throw new Error('The delivery is not there');
    await attempts.settle(delivery, { answer: null, error: null });
    await webhookHealth.failed(found, { status: 500, givenUp: true });
    await webhookHealth.recovered({ ...found, givenUp: 1 });
    await deliveries.redeliver(webhook, delivery._id);
    await attempts.giveUp(lane, 'Given up');
    await attempts.removeFrom(lane);
    await lanes.leave(lane, new Date());
    await lanes.rest(lane);
    await lanes.hasten(webhook._id);
    await lanes.remove(lane);
  },
};
