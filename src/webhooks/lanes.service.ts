import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newId } from '../common/ids.js';
import { laneId, WebhookLane } from './lane.schema.js';
import type { EventResource } from './webhook-events.js';

/** How long a lane stays with who took it and says nothing, in ms; longer than one attempt takes. */
const LEASE = 60_000;

/** A lane that somebody here has taken. */
export type HeldLane = WebhookLane & { holder: string };

/**
 * The lines in which deliveries wait. All processes take lanes from the same collection, each lane by one at a time; one
 * whose taker died is free again after a minute.
 */
@Injectable()
export class WebhookLanes {
  constructor(@InjectModel(WebhookLane.name) private readonly lanes: Model<WebhookLane>) {}

  /**
   * Gives the next place in the lanes of `webhooks` for `resource`, by webhook, and makes them due. Joins the transaction of
   * whoever asks, which meets all others that want a place there: the order of places is that of the changes.
   */
  async enter(webhooks: readonly string[], resource: EventResource): Promise<Map<string, number>> {
    const ids = webhooks.map((webhook) => laneId(webhook, resource));
    const [now, filter] = [new Date(), { _id: { $in: ids } }];
    await this.lanes.updateMany(filter, { $inc: { sequence: 1 }, $set: { idleSince: null } });
    await this.lanes.updateMany({ ...filter, dueAt: null }, { $set: { dueAt: now } });
    const found = await this.lanes.find(filter, { webhook: 1, sequence: 1 }).lean<WebhookLane[]>();
    const places = new Map(found.map(({ webhook, sequence }) => [webhook, sequence]));
    const missing = webhooks.filter((webhook) => !places.has(webhook));
    for (const webhook of missing) places.set(webhook, 1);
    if (missing.length > 0) {
      await this.lanes.insertMany(
        missing.map((webhook) => ({ _id: laneId(webhook, resource), webhook, sequence: 1, dueAt: now })),
      );
    }
    return places;
  }

  /** Takes the lane that is due for longest, but for those of the webhooks `busy`; `null` when none is. */
  async take(busy: readonly string[]): Promise<HeldLane | null> {
    const filter = { dueAt: { $lte: new Date() }, ...(busy.length > 0 && { webhook: { $nin: [...busy] } }) };
    const holder = newId();
    return this.lanes
      .findOneAndUpdate(
        filter,
        { $set: { holder, dueAt: new Date(Date.now() + LEASE) } },
        { sort: { dueAt: 1 }, returnDocument: 'after' },
      )
      .lean<HeldLane>();
  }

  /** Keeps a lane, and answers it as it is now; `null` when it was lost to somebody else. */
  async keep({ _id, holder }: HeldLane): Promise<HeldLane | null> {
    return this.lanes
      .findOneAndUpdate({ _id, holder }, { $set: { dueAt: new Date(Date.now() + LEASE) } }, { returnDocument: 'after' })
      .lean<HeldLane>();
  }

  /** Lets go of a lane, which is due again at `dueAt`. */
  async leave({ _id, holder }: HeldLane, dueAt: Date): Promise<void> {
    await this.lanes.updateOne({ _id, holder }, { $set: { dueAt, holder: null } });
  }

  /** Lets go of a lane in which nothing waited; `false` when something came since it was kept. */
  async rest({ _id, holder, sequence }: HeldLane): Promise<boolean> {
    const { matchedCount } = await this.lanes.updateOne(
      { _id, holder, sequence },
      { $set: { dueAt: null, holder: null, idleSince: new Date() } },
    );
    return matchedCount === 1;
  }

  /** Makes due whatever of a webhook waits for its next attempt. */
  async hasten(webhook: string): Promise<void> {
    const now = new Date();
    await this.lanes.updateMany({ webhook, dueAt: { $gt: now }, holder: null }, { $set: { dueAt: now } });
  }

  /** Removes a lane whose webhook is gone. */
  async remove({ _id, holder }: HeldLane): Promise<void> {
    await this.lanes.deleteOne({ _id, holder });
  }
}
