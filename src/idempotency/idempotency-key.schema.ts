import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/**
 * `started`: somebody is at it, and nothing has come of it yet. `committed`: something was written; the answer is not here. `answered`:
 * the answer is.
 */
export const KEY_STATES = ['started', 'committed', 'answered'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** An `Idempotency-Key` that somebody has sent, and what became of the request. */
@Schema({ collection: 'idempotency_keys', versionKey: false })
export class IdempotencyKey {
  /** A hash of the person and the key. */
  @Prop({ type: String, required: true }) _id!: string;
  /** What the key was sent with first: a hash of method, address and body. */
  @Prop({ type: String, required: true }) request!: string;
  /** Who carries it out: a name of its own for each attempt. */
  @Prop({ type: String, required: true }) attempt!: string;
  @Prop({ type: String, enum: KEY_STATES, required: true }) state!: KeyState;
  /** Until when whoever carries it out is taken to be alive; moved on meanwhile. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  /** Status, headers and body of the answer, sealed, as it may tell secrets; `null`: not here, or too large to keep. */
  @Prop({ type: String, default: null }) answer!: string | null;
  /** When the key may stand for something else. */
  @Prop({ type: Date, required: true }) expiresAt!: Date;
}

export const IdempotencyKeySchema = SchemaFactory.createForClass(IdempotencyKey);
IdempotencyKeySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 }); // the database forgets
