import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { EventResource } from './webhook-events.js';

/** For so long a lane is remembered in which nothing happens, in seconds. */
const REMEMBERED = 30 * 24 * 60 * 60;

/**
 * The deliveries of one webhook for one resource, which go one after the other. Who delivers takes the lane: `dueAt` moves to
 * when it is free again, should nothing be heard of them.
 */
@Schema({ collection: 'webhook_lanes', versionKey: false })
export class WebhookLane {
  /** `webhook:object:id`, of the webhook and the resource. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) webhook!: string;
  /** The place of the delivery that came last. */
  @Prop({ type: Number, required: true }) sequence!: number;
  /** When somebody may take it; `null`: nothing waits. */
  @Prop({ type: Date, default: null }) dueAt!: Date | null;
  /** What the taker calls itself; `null`: nobody has it. */
  @Prop({ type: String, default: null }) holder!: string | null;
  /** Since when nothing waits; `null`: something does. */
  @Prop({ type: Date, default: null }) idleSince!: Date | null;
}

export const WebhookLaneSchema = SchemaFactory.createForClass(WebhookLane);
WebhookLaneSchema.index({ dueAt: 1, webhook: 1 }); // take()
WebhookLaneSchema.index({ webhook: 1, dueAt: 1 }); // hasten()
WebhookLaneSchema.index({ idleSince: 1 }, { expireAfterSeconds: REMEMBERED }); // the database forgets

/** The id of the lane of `webhook` for `resource`. */
export const laneId = (webhook: string, { object, id }: EventResource): string => `${webhook}:${object}:${id}`;
