import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { CHANGE_REQUEST_STATUSES, type ChangeRequestStatus } from '../content/index.js';

/** Longest subject, characters (decision 3.52). */
export const MAX_SUBJECT = 100;
/** People who are asked for a review of one change request at a time, at the most. */
export const MAX_REQUESTED = 100;

/** That somebody made the change request, or revisions of it. */
@Schema({ _id: false })
export class Contributor {
  @Prop({ type: String, required: true }) user!: string;
  /** Revisions that they made; 0 for who made the change request alone. */
  @Prop({ type: Number, required: true }) count!: number;
  /** When they made the last one. */
  @Prop({ type: Date, required: true }) updatedAt!: Date;
}

/** That somebody is asked for a review. */
@Schema({ _id: false })
export class RequestedReviewer {
  @Prop({ type: String, required: true }) user!: string;
  /** Who asked. */
  @Prop({ type: String, required: true }) requestedBy!: string;
  /** The revision of the change request when they were asked. */
  @Prop({ type: String, required: true }) revision!: string;
  @Prop({ type: Date, required: true }) createdAt!: Date;
}

/** Changes to the content of a space that are worked on, reviewed and merged together. */
@Schema({ collection: 'change_requests', timestamps: true, versionKey: false })
export class ChangeRequest {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  /** 1, 2, 3... within the space, never given again (decision 3.50). */
  @Prop({ type: Number, required: true }) number!: number;
  @Prop({ type: String, enum: CHANGE_REQUEST_STATUSES, default: 'draft' }) status!: ChangeRequestStatus;
  @Prop({ type: String, default: '' }) subject!: string;
  @Prop({ type: String, required: true }) createdBy!: string;
  /** The revision that holds its content; it moves by compare-and-set only. */
  @Prop({ type: String, required: true }) revision!: string;
  /** The revision of the space that it was made from. */
  @Prop({ type: String, required: true }) revisionInitial!: string;
  /** The revision of the space that it pulled last; `null` before the first pull. */
  @Prop({ type: String, default: null }) revisionMergedAncestor!: string | null;
  /** The revision of the space that the merge made; `null` until then. */
  @Prop({ type: String, default: null }) revisionMerged!: string | null;
  /** Open comments on it. */
  @Prop({ type: Number, default: 0 }) comments!: number;
  /** Who made it, and whoever made one of its revisions. */
  @Prop({ type: [SchemaFactory.createForClass(Contributor)], default: [] }) contributors!: Contributor[];
  /** Who is asked for a review, in the order in which they were asked; {@link MAX_REQUESTED} at the most. */
  @Prop({ type: [SchemaFactory.createForClass(RequestedReviewer)], default: [] })
  requestedReviewers!: RequestedReviewer[];
  /** Raised by each change but those of comments. */
  @Prop({ type: Number, default: 1 }) version!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const ChangeRequestSchema = SchemaFactory.createForClass(ChangeRequest);
ChangeRequestSchema.index({ space: 1, number: 1 }, { unique: true }); // find(), numbers in order
ChangeRequestSchema.index({ space: 1, status: 1, createdAt: -1, _id: -1 }); // list(), how many of each status
ChangeRequestSchema.index({ space: 1, status: 1, 'contributors.user': 1, createdAt: -1, _id: -1 }); // list() of a contributor
ChangeRequestSchema.index({ 'requestedReviewers.user': 1, space: 1 }); // dropReviewRequests()

/** The revision of the space that a merge or a pull starts from (decision 4.3). */
export const baseOf = ({
  revisionMergedAncestor,
  revisionInitial,
}: Pick<ChangeRequest, 'revisionMergedAncestor' | 'revisionInitial'>): string =>
  revisionMergedAncestor ?? revisionInitial;

/** Whether the space, whose primary content is `revision`, has content that it has not pulled (decision 3.51). */
export function isOutdated(
  changeRequest: Pick<ChangeRequest, 'status' | 'revisionMergedAncestor' | 'revisionInitial'>,
  { revision }: { revision: string },
): boolean {
  return changeRequest.status !== 'merged' && revision !== baseOf(changeRequest);
}
