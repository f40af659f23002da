import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** What all processes together have let through for one token or address in one minute. */
@Schema({ collection: 'rate_counts', versionKey: false })
export class RateCount {
  /** A hash of what is counted and of the minute, so that the record tells nobody's address. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: Number, required: true }) count!: number;
  /** When it is of no use any more. */
  @Prop({ type: Date, required: true }) expiresAt!: Date;
}

export const RateCountSchema = SchemaFactory.createForClass(RateCount);
RateCountSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 }); // the database forgets
