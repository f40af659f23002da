import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { keeps } from '../database/index.js';
import { JobsModule } from '../jobs/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { OutboundModule } from '../outbound/index.js';
import { DeliveryAttempts } from './attempts.service.js';
import { WebhookDeliverer } from './deliverer.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookDelivery, WebhookDeliverySchema } from './delivery.schema.js';
import { WebhookLane, WebhookLaneSchema } from './lane.schema.js';
import { WebhookLanes } from './lanes.service.js';
import { WebhookOutbox } from './outbox.service.js';
import { WebhookSender } from './sender.js';
import { WebhookHealth } from './webhook-health.service.js';
import { WEBHOOK_RECORDS } from './webhook.records.js';
import { Webhook, WebhookSchema } from './webhook.schema.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Tells foreign addresses of what happens in organizations. */
@Module({
  imports: [
    AuditModule,
    JobsModule,
    OrganizationsModule,
    OutboundModule,
    MongooseModule.forFeature([
      { name: Webhook.name, schema: WebhookSchema },
      { name: WebhookDelivery.name, schema: WebhookDeliverySchema },
      { name: WebhookLane.name, schema: WebhookLaneSchema },
    ]),
  ],
  controllers: [WebhooksController],
  providers: [
    keeps(WEBHOOK_RECORDS),
    WebhooksService,
    DeliveriesService,
    WebhookOutbox,
    WebhookLanes,
    WebhookDeliverer,
    DeliveryAttempts,
    WebhookHealth,
    WebhookSender,
  ],
  exports: [WebhookDeliverer],
})
export class WebhooksModule {}
