import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { actAs, Audit } from '../audit/index.js';
import { Database } from '../database/index.js';
import { MAX_GIVEN_UP, MAX_WAITING, PATIENCE } from './retries.js';
import { type DisabledReason, Webhook } from './webhook.schema.js';

/** Status of an address that wants to hear nothing any more (Standard Webhooks 1.0). */
const GONE = 410;

/** What a failed attempt says of a webhook. */
export interface Failure {
  /** Status of the answer; `undefined`: there was none. */
  status: number | undefined;
  /** Whether the delivery was given up. */
  givenUp: boolean;
  /** How many deliveries wait for it; none unless it is said. */
  waiting?: number;
}

/** Notes how webhooks do, and switches off those that nobody listens to any more. */
@Injectable()
export class WebhookHealth {
  constructor(
    @InjectModel(Webhook.name) private readonly webhooks: Model<Webhook>,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  /** The webhook `id` as it is now; `null` when it is gone. */
  async find(id: string): Promise<Webhook | null> {
    return this.webhooks.findById(id).lean<Webhook>();
  }

  /** Something came through: it does well again. */
  async recovered({ _id, failingSince, givenUp }: Webhook): Promise<void> {
    if (failingSince === null && givenUp === 0) return;
    await this.webhooks.updateOne({ _id }, { $set: { failingSince: null, givenUp: 0 } });
  }

  /** An attempt failed; answers whether that switched the webhook off. */
  async failed(
    { _id, failingSince }: Webhook,
    { status, givenUp, waiting = 0 }: Failure,
    now = new Date(),
  ): Promise<boolean> {
    if (status === GONE) return this.disable(_id, 'gone');
    if (failingSince === null) {
      await this.webhooks.updateOne({ _id, failingSince: null }, { $set: { failingSince: now } });
    }
    if (givenUp) await this.webhooks.updateOne({ _id }, { $inc: { givenUp: 1 } });
    const webhook = await this.find(_id);
    if (!webhook?.failingSince) return false;
    const tooLong = now.getTime() - webhook.failingSince.getTime() >= PATIENCE;
    const tooMany = webhook.givenUp >= MAX_GIVEN_UP || waiting >= MAX_WAITING;
    return (tooLong || tooMany) && this.disable(_id, 'failing');
  }

  /** Switches a webhook off, as the service itself; `false` when it was off already. */
  private disable(id: string, disabledReason: DisabledReason): Promise<boolean> {
    return actAs(null, () =>
      this.database.transaction(async () => {
        const disabled = await this.webhooks
          .findOneAndUpdate({ _id: id, active: true }, { $set: { active: false, disabledReason } })
          .lean<Webhook>();
        if (!disabled) return false;
        const { organization } = disabled;
        const changes = {
          active: { before: true, after: false },
          disabledReason: { before: null, after: disabledReason },
        };
        await this.audit.record({ organization, action: 'webhook.update', id, changes });
        return true;
      }),
    );
  }
}
