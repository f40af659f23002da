import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { BODY_FORMS, type BodyForm, type KeptBody } from './comment-body.js';

export const COMMENT_STATUSES = ['open', 'resolved'] as const;
export type CommentStatus = (typeof COMMENT_STATUSES)[number];

/** The text of a comment or a reply, kept once, in the form in which it was given (decision 3.54). */
@Schema({ _id: false })
export class StoredBody implements KeptBody {
  @Prop({ type: String, enum: BODY_FORMS, required: true }) form!: BodyForm;
  @Prop({ type: String, default: '' }) text!: string;
}
export const StoredBodySchema = SchemaFactory.createForClass(StoredBody);

/** That somebody reacted. */
@Schema({ _id: false })
export class Reactor {
  @Prop({ type: String, required: true }) user!: string;
  @Prop({ type: Date, required: true }) reactedAt!: Date;
}

/** The reactions with one emoji; how many, and who the first ones were. Each of them is a record of its own as well. */
@Schema({ _id: false })
export class ReactionGroup {
  /** What tells the emoji from all others, however it is spelled. */
  @Prop({ type: String, required: true }) key!: string;
  /** As whoever reacted first spelled it. */
  @Prop({ type: String, required: true }) emoji!: string;
  @Prop({ type: Number, required: true }) count!: number;
  /** The first ones; in the order in which they reacted. */
  @Prop({ type: [SchemaFactory.createForClass(Reactor)], default: [] }) users!: Reactor[];
}
export const ReactionGroupSchema = SchemaFactory.createForClass(ReactionGroup);

/** The page that a comment is about as it was in the revision of the comment: what is shown when it is nowhere else. */
@Schema({ _id: false })
export class CommentedPage {
  @Prop({ type: String, required: true }) id!: string;
  @Prop({ type: String, required: true }) title!: string;
  @Prop({ type: String, default: null }) emoji!: string | null;
  @Prop({ type: String, default: null }) icon!: string | null;
  @Prop({ type: String, required: true }) createdAt!: string;
  @Prop({ type: String, required: true }) updatedAt!: string;
  /** Empty for pages that have no path. */
  @Prop({ type: String, default: '' }) path!: string;
}

/** The block of the page that a comment is about. */
@Schema({ _id: false })
export class CommentedNode {
  @Prop({ type: String, required: true }) id!: string;
  /** How its text begins in the revision of the comment; `null`: there is no such block, or it has no text. */
  @Prop({ type: String, default: null }) preview!: string | null;
}

/** A comment on a space or a change request, or on a page or a block there. */
@Schema({ collection: 'comments', versionKey: false })
export class Comment {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  /** The change request that it belongs to; `null`: primary content. */
  @Prop({ type: String, default: null }) changeRequest!: string | null;
  /** The revision in which what it is about can be found. */
  @Prop({ type: String, required: true }) revision!: string;
  @Prop({ type: SchemaFactory.createForClass(CommentedPage), default: null }) page!: CommentedPage | null;
  @Prop({ type: SchemaFactory.createForClass(CommentedNode), default: null }) node!: CommentedNode | null;
  /** The review that it came with. */
  @Prop({ type: String, default: null }) review!: string | null;
  @Prop({ type: String, required: true }) postedBy!: string;
  @Prop({ type: Date, required: true }) postedAt!: Date;
  /** When its text was last changed; `null`: never. */
  @Prop({ type: Date, default: null }) editedAt!: Date | null;
  @Prop({ type: StoredBodySchema, required: true }) body!: StoredBody;
  /** Characters of its text: how much a list of it weighs. */
  @Prop({ type: Number, required: true }) size!: number;
  @Prop({ type: String, enum: COMMENT_STATUSES, default: 'open' }) status!: CommentStatus;
  @Prop({ type: Date, default: null }) resolvedAt!: Date | null;
  @Prop({ type: String, default: null }) resolvedBy!: string | null;
  @Prop({ type: [ReactionGroupSchema], default: [] }) reactions!: ReactionGroup[];
  /** Number of replies. */
  @Prop({ type: Number, default: 0 }) replies!: number;
  /** Raised by each change but those of replies. */
  @Prop({ type: Number, default: 1 }) version!: number;
}

export const CommentSchema = SchemaFactory.createForClass(Comment);
CommentSchema.index({ space: 1, changeRequest: 1, postedAt: -1, _id: -1 }); // list(), removeOf()
CommentSchema.index({ space: 1, changeRequest: 1, status: 1, postedAt: -1, _id: -1 }); // list() of a status, countOpen()
CommentSchema.index({ space: 1, changeRequest: 1, 'page.id': 1, postedAt: -1, _id: -1 }); // list() of a page
CommentSchema.index({ space: 1, changeRequest: 1, postedBy: 1, postedAt: -1, _id: -1 }); // list() of authors
