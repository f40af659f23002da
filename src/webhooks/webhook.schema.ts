import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';

/** Webhooks of one organization, at the most. */
export const MAX_WEBHOOKS = 100;

/** Why the service switches a webhook off: nothing came through any more, or its address said that it is gone (410). */
export const DISABLED_REASONS = ['failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address that is told of what happens in an organization. */
@Schema({ collection: 'webhooks', timestamps: { createdAt: true, updatedAt: false }, versionKey: false })
export class Webhook {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: String, required: true }) url!: string;
  @Prop({ type: [String], enum: WEBHOOK_EVENTS, required: true }) events!: WebhookEvent[];
  @Prop({ type: Boolean, required: true }) active!: boolean;
  /** What deliveries are signed with, sealed with the key of the installation. */
  @Prop({ type: String, required: true }) secret!: string;
  /** When the first attempt failed since something came through; `null`: none has. */
  @Prop({ type: Date, default: null }) failingSince!: Date | null;
  /** Deliveries that were given up since something came through. */
  @Prop({ type: Number, default: 0 }) givenUp!: number;
  /** Why the service switched it off; `null`: it did not. */
  @Prop({ type: String, enum: [...DISABLED_REASONS, null], default: null }) disabledReason!: DisabledReason | null;
  createdAt!: Date;
}

export const WebhookSchema = SchemaFactory.createForClass(Webhook);
WebhookSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list(), their number
WebhookSchema.index({ organization: 1, active: 1, events: 1 }); // who is told of an event
