import { ConflictException, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type Changes, changesBetween, madeWith, removedWith } from '../audit/index.js';
import { isId, newId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { reseal, seal, SecretKey } from '../config/index.js';
import { Database, SealedRecords } from '../database/index.js';
import { WebhookDeliverer } from './deliverer.js';
import type { CreateWebhookDto } from './dto/create-webhook.dto.js';
import type { UpdateWebhookDto } from './dto/update-webhook.dto.js';
import { WebhookLanes } from './lanes.service.js';
import { SEALED_FOR } from './sender.js';
import { newSigningSecret } from './signature.js';
import { MAX_WEBHOOKS, Webhook } from './webhook.schema.js';

/** A webhook that was just made, with what nobody can read any more afterwards. */
export interface NewWebhook {
  webhook: Webhook;
  secret: string;
}

/** The webhooks of organizations (decision B.13). */
@Injectable()
export class WebhooksService implements OnModuleInit {
  constructor(
    @InjectModel(Webhook.name) private readonly webhooks: Model<Webhook>,
    private readonly database: Database,
    private readonly key: SecretKey,
    private readonly audit: Audit,
    private readonly lanes: WebhookLanes,
    private readonly deliverer: WebhookDeliverer,
    private readonly sealed: SealedRecords,
  ) {}

  /** Has the secrets follow the key of the installation. */
  onModuleInit(): void {
    this.sealed.add('webhooks', {
      model: this.webhooks,
      fields: ['secret'],
      reseal: ({ _id, secret }) => {
        const again = reseal(this.key, SEALED_FOR, _id, secret);
        return again === null ? null : { secret: again };
      },
    });
  }

  /** One page of the webhooks of `organization`, newest first. */
  list(organization: string, query: ListQuery): Promise<Page<Webhook>> {
    return findPage(this.webhooks, { organization }, query);
  }

  /** The webhook `id` of `organization`. @throws NotFoundException when there is none. */
  async get(organization: string, id: string): Promise<Webhook> {
    const webhook = isId(id) ? await this.webhooks.findOne({ _id: id, organization }).lean<Webhook>() : null;
    if (!webhook) throw notFound();
    return webhook;
  }

  /** Adds a webhook with a secret of its own. @throws ConflictException when the organization has as many as there may be. */
  create(organization: string, { url, events, active = true }: CreateWebhookDto): Promise<NewWebhook> {
    const [_id, secret] = [newId(), newSigningSecret()];
    const sealed = seal(this.key, SEALED_FOR, _id, secret);
    return this.database.transaction(async () => {
      if ((await this.webhooks.countDocuments({ organization })) >= MAX_WEBHOOKS) {
        throw new ConflictException(`An organization has at most ${String(MAX_WEBHOOKS)} webhooks`);
      }
      const [made] = await this.webhooks.create([{ _id, organization, url, events, active, secret: sealed }]);
      if (!made) throw new Error('The webhook was not made');
      const changes = madeWith({ url: originOf(url), events, active });
      await this.audit.record({ organization, action: 'webhook.create', id: _id, changes });
      return { webhook: made.toObject<Webhook>(), secret };
    });
  }

  /**
   * Changes what `body` names. Who makes it active gives it all patience anew; then, and at another address, what waits for
   * its next attempt is tried at once.
   *
   * @throws NotFoundException when the webhook is gone.
   */
  update(webhook: Webhook, body: UpdateWebhookDto): Promise<Webhook> {
    return this.database.transaction(async () => {
      const [before, after] = await this.change(webhook, body);
      if (after.active && (!before.active || before.url !== after.url)) {
        await this.lanes.hasten(after._id);
        this.database.afterCommit(() => {
          this.deliverer.wake();
        });
      }
      return after;
    });
  }

  /** Removes a webhook, and what was still to be delivered to it. @throws NotFoundException when it is gone. */
  async remove({ _id: id, organization }: Webhook): Promise<void> {
    await this.database.transaction(async () => {
      const removed = await this.webhooks.findOneAndDelete({ _id: id }).lean<Webhook>();
      if (!removed) throw notFound();
      const { url, events, active } = removed;
      const changes = removedWith({ url: originOf(url), events, active });
      await this.audit.record({ organization, action: 'webhook.delete', id, changes });
    });
  }

  /** As {@link update}, within its transaction; answers the webhook before and after. */
  private async change({ _id: id, organization }: Webhook, body: UpdateWebhookDto): Promise<[Webhook, Webhook]> {
    const before = await this.get(organization, id);
    const anew = { failingSince: null, givenUp: 0, disabledReason: null };
    const set = { ...body, ...(body.active === true && !before.active && anew) };
    const changed = await this.webhooks
      .findOneAndUpdate({ _id: id }, { $set: { ...set } }, { returnDocument: 'after' })
      .lean<Webhook>();
    if (!changed) throw notFound();
    const changes = changesOf(before, changed);
    const done = { organization, action: 'webhook.update', id, changes } as const;
    if (Object.keys(changes).length > 0) await this.audit.record(done);
    return [before, changed];
  }
}

/** Of an address the origin alone is recorded: what follows is often a secret. */
const originOf = (url: string): string => new URL(url).origin;

function changesOf(before: Webhook, after: Webhook): Changes {
  return {
    ...(before.url !== after.url && { url: { before: originOf(before.url), after: originOf(after.url) } }),
    ...changesBetween(before, after, ['events', 'active', 'disabledReason']),
  };
}

const notFound = (): NotFoundException => new NotFoundException('Webhook not found');
