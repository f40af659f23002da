import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { WebhookDelivery } from './delivery.schema.js';
import type { HeldLane } from './lanes.service.js';
import { retryAt } from './retries.js';
import type { Outcome } from './sender.js';

/** Deliveries that are written in one command. */
const BATCH = 500;

/** How a delivery stands after an attempt. */
export interface Settled {
  status: WebhookDelivery['status'];
  /** When it is attempted again; `null`: it is over. */
  retryAt: Date | null;
}

/** What becomes of deliveries: the first of each lane, and what its attempts came to. */
@Injectable()
export class DeliveryAttempts {
  constructor(@InjectModel(WebhookDelivery.name) private readonly deliveries: Model<WebhookDelivery>) {}

  /** The delivery of a lane whose turn it is; `null` when none waits. */
  async first({ _id: lane }: HeldLane): Promise<WebhookDelivery | null> {
    return this.deliveries.findOne({ lane, status: 'pending' }).sort({ sequence: 1 }).lean<WebhookDelivery>();
  }

  /** Writes down what an attempt came to. */
  async settle({ _id, attempts: before }: WebhookDelivery, { answer, error }: Outcome): Promise<Settled> {
    const [now, attempts] = [new Date(), before + 1];
    const again = error === null ? null : retryAt(attempts, now);
    const status = error === null ? 'delivered' : again ? 'pending' : 'failed';
    // who lost the lane meanwhile may not undo what somebody else found out
    await this.deliveries.updateOne(
      { _id, status: 'pending', attempts: before },
      { $set: { status, attempts, attemptedAt: now, retryAt: again, answer, error } },
    );
    return { status, retryAt: again };
  }

  /** Gives up what waits in a lane, because of `error`: some of it at a time, and answers how many. */
  async giveUp({ _id: lane }: HeldLane, error: string): Promise<number> {
    const waiting = { lane, status: 'pending' } as const;
    const found = await this.deliveries.find(waiting, { _id: 1 }).limit(BATCH).lean<{ _id: string }[]>();
    const filter = { _id: { $in: found.map(({ _id }) => _id) }, status: 'pending' } as const;
    if (found.length > 0)
      await this.deliveries.updateMany(filter, { $set: { status: 'failed', retryAt: null, error } });
    return found.length;
  }

  /** Removes what waits in a lane, and what is over: some of it at a time, and answers how many. */
  async removeFrom({ _id: lane }: HeldLane): Promise<number> {
    const found = await this.deliveries.find({ lane }, { _id: 1 }).limit(BATCH).lean<{ _id: string }[]>();
    if (found.length > 0) await this.deliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }
}
