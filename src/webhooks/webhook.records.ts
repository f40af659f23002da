import { owned, type Rule } from '../database/index.js';
import type { WebhookDelivery } from './delivery.schema.js';
import type { WebhookLane } from './lane.schema.js';

/** The webhook whose lane it is. */
const webhookOf = (lane: string): string => lane.split(':', 1)[0] ?? '';

/** What of webhooks goes where an organization goes. */
export const WEBHOOK_RECORDS: readonly Rule[] = [
  owned('webhooks', { atOnce: true }),
  owned<WebhookDelivery>('webhook_deliveries', {
    of: ['webhooks'],
    by: 'webhook',
    fits: ({ webhook, lane }) => webhookOf(lane) === webhook,
    people: ({ data }) => [data.author],
  }),
  owned<WebhookLane>('webhook_lanes', {
    of: ['webhooks'],
    by: 'webhook',
    atOnce: true,
    fits: ({ _id, webhook }) => webhookOf(_id) === webhook,
  }),
];
