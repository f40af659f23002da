import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus, type WebhookDelivery } from './delivery.schema.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';

/** What an event happened to; its deliveries arrive in order. */
export class DeliveryResourceView {
  object!: 'space' | 'change-request' | 'site' | 'openapi-spec';
  id!: string;
}

/** What the address answered. */
export class DeliveryAnswerView {
  status!: number;
  /** How its body begins: up to 1 KiB. */
  body!: string;
}

/** One event for one webhook. */
export class WebhookDeliveryView {
  object!: 'webhook-delivery';
  /** Sent as `webhook-id`, the same at each attempt. */
  id!: string;
  @ApiProperty({ type: 'string', enum: WEBHOOK_EVENTS })
  event!: WebhookEvent;
  /** When it happened, ISO 8601, UTC. */
  at!: string;
  resource!: DeliveryResourceView;
  /** What is sent as `data`. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  data!: Record<string, string>;
  /** `failed`: it was given up. */
  @ApiProperty({ type: 'string', enum: DELIVERY_STATUSES })
  status!: DeliveryStatus;
  /** Attempts that were made since it was last asked for. */
  @ApiProperty({ type: 'integer' })
  attempts!: number;
  /** ISO 8601, UTC. */
  lastAttemptAt?: string;
  /** ISO 8601, UTC; absent when it is over, or waits for one before it. */
  nextAttemptAt?: string;
  /** What the last attempt was answered. */
  answer?: DeliveryAnswerView;
  /** Why the last attempt came to nothing. */
  error?: string;
}

export class WebhookDeliveryPage extends PageOf(WebhookDeliveryView) {}

/** Shapes `delivery`. */
export function toWebhookDelivery(delivery: WebhookDelivery): WebhookDeliveryView {
  const { resource, attemptedAt, retryAt, answer, error } = delivery;
  return {
    object: 'webhook-delivery',
    id: delivery._id,
    event: delivery.event,
    at: delivery.at.toISOString(),
    resource: { object: resource.object, id: resource.id },
    data: delivery.data,
    status: delivery.status,
    attempts: delivery.attempts,
    ...(attemptedAt && { lastAttemptAt: attemptedAt.toISOString() }),
    ...(retryAt && { nextAttemptAt: retryAt.toISOString() }),
    ...(answer && { answer: { status: answer.status, body: answer.body } }),
    ...(error !== null && { error }),
  };
}
