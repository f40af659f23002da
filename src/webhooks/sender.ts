import { Injectable } from '@nestjs/common';
import { SecretKey, unseal } from '../config/index.js';
import { Outbound, OutboundError } from '../outbound/index.js';
import { type DeliveryAnswer, MAX_ANSWER, type WebhookDelivery } from './delivery.schema.js';
import { signatureHeaders } from './signature.js';
import type { Webhook } from './webhook.schema.js';

/** Time for one attempt, in ms. */
const TIMEOUT = 15_000;

/** What the secrets of webhooks are sealed for. */
export const SEALED_FOR = 'webhook';

/** What an attempt came to: `error` says why to nothing. */
export interface Outcome {
  answer: DeliveryAnswer | null;
  error: string | null;
}

/** Sends deliveries, each signed for its webhook. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly outbound: Outbound,
    private readonly key: SecretKey,
  ) {}

  /** Sends `delivery` once; any answer but 2xx is a failure, and redirects are not followed. */
  async send(webhook: Webhook, delivery: WebhookDelivery, signal: AbortSignal): Promise<Outcome> {
    const secret = this.secretOf(webhook);
    if (secret === undefined) {
      return { answer: null, error: 'The signing secret cannot be read any more: make the webhook anew' };
    }
    const body = bodyOf(delivery);
    const signed = signatureHeaders(secret, { id: delivery._id, at: new Date(), body });
    const headers = { 'Content-Type': 'application/json', ...signed };
    try {
      const posted = await this.outbound.post(webhook.url, {
        body,
        headers,
        timeout: TIMEOUT,
        keep: MAX_ANSWER,
        signal,
      });
      return outcomeOf({ status: posted.status, body: posted.body.toString('utf8') });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { answer: null, error: error.message };
    }
  }

  private secretOf({ _id, secret }: Webhook): string | undefined {
    try {
      return unseal(this.key, SEALED_FOR, _id, secret);
    } catch {
      return undefined;
    }
  }
}

/** What is sent of `delivery`: at each attempt the same. */
function bodyOf({ event, at, data }: WebhookDelivery): string {
  return JSON.stringify({ type: event, timestamp: at.toISOString(), data });
}

function outcomeOf(answer: DeliveryAnswer): Outcome {
  if (answer.status >= 200 && answer.status < 300) return { answer, error: null };
  return { answer, error: `The address answered ${String(answer.status)} where 2xx was expected` };
}
