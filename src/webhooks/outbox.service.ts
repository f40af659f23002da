import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { DomainEvents, type EventPayloads } from '../common/domain-events.js';
import { Database } from '../database/index.js';
import { WebhookDeliverer } from './deliverer.js';
import { WebhookDelivery } from './delivery.schema.js';
import { laneId } from './lane.schema.js';
import { WebhookLanes } from './lanes.service.js';
import { KEPT } from './retries.js';
import { dataOf, resourceOf, WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';
import { Webhook } from './webhook.schema.js';

/** What an active webhook wants to be told of. */
type Listening = Pick<Webhook, '_id' | 'organization' | 'events'>;

/**
 * Writes down what is to be delivered, in the transaction of the change that it tells of: one is kept if and only if the
 * other is. Where nobody wants to be told, that costs one read of an index.
 */
@Injectable()
export class WebhookOutbox implements OnModuleInit {
  private readonly activeOf: (organization: string) => Promise<Listening[] | null>;

  constructor(
    @InjectModel(Webhook.name) private readonly webhooks: Model<Webhook>,
    @InjectModel(WebhookDelivery.name) private readonly deliveries: Model<WebhookDelivery>,
    private readonly lanes: WebhookLanes,
    private readonly deliverer: WebhookDeliverer,
    private readonly database: Database,
    private readonly events: DomainEvents,
  ) {
    this.activeOf = database.gatheredOutside((organizations) => this.active(organizations));
  }

  /** Listens to all that webhooks can be told of. */
  onModuleInit(): void {
    for (const event of WEBHOOK_EVENTS) this.events.on(event, (payload) => this.write(event, payload));
  }

  private async write(event: WebhookEvent, payload: EventPayloads[WebhookEvent]): Promise<void> {
    const active = (await this.activeOf(payload.organization)) ?? [];
    const told = active.filter(({ events }) => events.includes(event));
    if (told.length === 0) return;
    const [at, data] = [new Date(), dataOf(payload)];
    const resource = resourceOf(data);
    const ids = told.map(({ _id }) => _id);
    const places = await this.lanes.enter(ids, resource);
    const expiresAt = new Date(at.getTime() + KEPT);
    await this.deliveries.insertMany(
      ids.map((webhook) => {
        const place = { lane: laneId(webhook, resource), sequence: places.get(webhook) };
        return { webhook, ...place, event, at, resource, data, expiresAt };
      }),
    );
    this.database.afterCommit(() => {
      this.deliverer.wake();
    });
  }

  private async active(organizations: readonly string[]): Promise<Map<string, Listening[]>> {
    const filter = { organization: { $in: [...organizations] }, active: true };
    const projection = { organization: 1, events: 1 };
    const found: Listening[] = await this.database.find(this.webhooks, filter, { projection });
    const active = new Map<string, Listening[]>();
    for (const webhook of found)
      active.set(webhook.organization, [...(active.get(webhook.organization) ?? []), webhook]);
    return active;
  }
}
