import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { type EventResource, WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';

/** `failed`: given up. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Of an answer's body so much is kept, in bytes. */
export const MAX_ANSWER = 1024;

/** What an event happened to. */
@Schema({ _id: false })
export class DeliveredResource {
  @Prop({ type: String, required: true }) object!: EventResource['object'];
  @Prop({ type: String, required: true }) id!: string;
}

/** What a webhook answered last. */
@Schema({ _id: false })
export class DeliveryAnswer {
  @Prop({ type: Number, required: true }) status!: number;
  /** How its body begins: up to {@link MAX_ANSWER} bytes. */
  @Prop({ type: String, default: '' }) body!: string;
}

/** One event for one webhook, written with the change that it tells of. */
@Schema({ collection: 'webhook_deliveries', versionKey: false, minimize: false })
export class WebhookDelivery {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) webhook!: string;
  /** Id of the lane that it waits in. */
  @Prop({ type: String, required: true }) lane!: string;
  /** Its place there: pending deliveries go in this order, one after the other. */
  @Prop({ type: Number, required: true }) sequence!: number;
  @Prop({ type: String, enum: WEBHOOK_EVENTS, required: true }) event!: WebhookEvent;
  /** When it happened. */
  @Prop({ type: Date, required: true }) at!: Date;
  @Prop({ type: SchemaFactory.createForClass(DeliveredResource), required: true }) resource!: DeliveredResource;
  @Prop({ type: Object, required: true }) data!: Record<string, string>;
  @Prop({ type: String, enum: DELIVERY_STATUSES, default: 'pending' }) status!: DeliveryStatus;
  /** Attempts that were made, since it was last asked for. */
  @Prop({ type: Number, default: 0 }) attempts!: number;
  @Prop({ type: Date, default: null }) attemptedAt!: Date | null;
  /** When it is attempted again; `null`: it is over, or its turn has not come. */
  @Prop({ type: Date, default: null }) retryAt!: Date | null;
  @Prop({ type: SchemaFactory.createForClass(DeliveryAnswer), default: null }) answer!: DeliveryAnswer | null;
  /** Why the last attempt came to nothing; `null`: it did not, or there was none. */
  @Prop({ type: String, default: null }) error!: string | null;
  @Prop({ type: Date, required: true }) expiresAt!: Date;
}

export const WebhookDeliverySchema = SchemaFactory.createForClass(WebhookDelivery);
WebhookDeliverySchema.index({ webhook: 1, at: -1, _id: -1 }); // list()
WebhookDeliverySchema.index({ lane: 1, status: 1, sequence: 1 }); // the first of a lane
WebhookDeliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 }); // the database removes what is over
