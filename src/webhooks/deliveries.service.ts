import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { WebhookDeliverer } from './deliverer.js';
import { WebhookDelivery } from './delivery.schema.js';
import { WebhookLanes } from './lanes.service.js';
import { KEPT } from './retries.js';
import { Webhook } from './webhook.schema.js';

/** What was delivered to webhooks, or is to be. */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectModel(WebhookDelivery.name) private readonly deliveries: Model<WebhookDelivery>,
    @InjectModel(Webhook.name) private readonly webhooks: Model<Webhook>,
    private readonly lanes: WebhookLanes,
    private readonly deliverer: WebhookDeliverer,
    private readonly database: Database,
  ) {}

  /** One page of the deliveries to a webhook in the last 30 days, newest first. */
  list({ _id: webhook }: Pick<Webhook, '_id'>, query: ListQuery): Promise<Page<WebhookDelivery>> {
    return findPage(this.deliveries, { webhook }, query, { sort: 'at' });
  }

  /**
   * Has a delivery that is over attempted anew, behind all that waits for the same resource; it keeps its id, by which the
   * receiver knows it.
   *
   * @throws NotFoundException when there is none, ConflictException while it is pending, or its webhook switched off.
   */
  redeliver({ _id: webhook }: Pick<Webhook, '_id'>, id: string): Promise<WebhookDelivery> {
    return this.database.transaction(async () => {
      const delivery = isId(id) ? await this.deliveries.findOne({ _id: id, webhook }).lean<WebhookDelivery>() : null;
      if (!delivery) throw notFound();
      if (delivery.status === 'pending') throw new ConflictException('The delivery is still under way');
      const { resource } = delivery;
      if (!(await this.webhooks.exists({ _id: webhook, active: true }))) {
        throw new ConflictException('The webhook is switched off: set active to true first');
      }
      const places = await this.lanes.enter([webhook], resource);
      const anew = { sequence: places.get(webhook), status: 'pending', attempts: 0, retryAt: null } as const;
      const changed = await this.deliveries
        .findOneAndUpdate(
          { _id: id },
          { $set: { ...anew, expiresAt: new Date(Date.now() + KEPT) } },
          { returnDocument: 'after' },
        )
        .lean<WebhookDelivery>();
      if (!changed) throw notFound();
      this.database.afterCommit(() => {
        this.deliverer.wake();
      });
      return changed;
    });
  }
}

const notFound = (): NotFoundException => new NotFoundException('Webhook delivery not found');
