import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';
import { DISABLED_REASONS, type DisabledReason, type Webhook } from './webhook.schema.js';

export class WebhookUrls {
  /** The webhook in this API. */
  location!: string;
}

/** An address that is told of what happens in an organization. */
export class WebhookView {
  object!: 'webhook';
  id!: string;
  /** Where deliveries are sent to, by POST. */
  url!: string;
  /** What it is told of. */
  @ApiProperty({ type: 'string', enum: WEBHOOK_EVENTS, isArray: true })
  events!: WebhookEvent[];
  /** Whether it is told of anything at all. */
  active!: boolean;
  /** Why the service switched it off: `failing`, nothing came through any more; `gone`, the address answered 410. */
  @ApiProperty({ type: 'string', enum: DISABLED_REASONS, required: false })
  disabledReason?: DisabledReason;
  /** When the first attempt failed since something came through, ISO 8601, UTC; absent when it does well. */
  failingSince?: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  urls!: WebhookUrls;
}

/** A webhook that was just made. */
export class NewWebhookView extends WebhookView {
  /** What deliveries are signed with, as the Standard Webhooks specification says; it is shown this once. */
  secret!: string;
}

export class WebhookPage extends PageOf(WebhookView) {}

/** Shapes `webhook`, without its secret. */
export function toWebhook(webhook: Webhook, urls: Urls): WebhookView {
  return {
    object: 'webhook',
    id: webhook._id,
    url: webhook.url,
    events: [...webhook.events],
    active: webhook.active,
    ...(webhook.disabledReason !== null && { disabledReason: webhook.disabledReason }),
    ...(webhook.failingSince !== null && { failingSince: webhook.failingSince.toISOString() }),
    createdAt: webhook.createdAt.toISOString(),
    urls: { location: urls.api('orgs', webhook.organization, 'webhooks', webhook._id) },
  };
}
