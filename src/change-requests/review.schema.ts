import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

export const REVIEW_STATUSES = ['changes-requested', 'approved'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** What somebody found of a change request. A later one of the same person stands beside it. */
@Schema({ collection: 'reviews', timestamps: true, versionKey: false })
export class Review {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  @Prop({ type: String, required: true }) changeRequest!: string;
  /** The revision of the change request that it is about. */
  @Prop({ type: String, required: true }) revision!: string;
  @Prop({ type: String, required: true }) reviewer!: string;
  /** Who had asked for it; `null`: nobody. */
  @Prop({ type: String, default: null }) requestedBy!: string | null;
  @Prop({ type: String, enum: REVIEW_STATUSES, required: true }) status!: ReviewStatus;
  /** Id of the comment that came with it. */
  @Prop({ type: String, default: null }) comment!: string | null;
  createdAt!: Date;
  updatedAt!: Date;
}

export const ReviewSchema = SchemaFactory.createForClass(Review);
ReviewSchema.index({ changeRequest: 1, createdAt: -1, _id: -1 }); // list()
ReviewSchema.index({ changeRequest: 1, reviewer: 1, createdAt: 1, _id: 1 }); // verdicts()
ReviewSchema.index({ space: 1 }); // removeOf()
