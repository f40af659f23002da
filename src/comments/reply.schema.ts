import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { ReactionGroup, ReactionGroupSchema, StoredBody, StoredBodySchema } from './comment.schema.js';

/** A reply to a comment; nobody replies to replies. */
@Schema({ collection: 'comment_replies', versionKey: false })
export class CommentReply {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  @Prop({ type: String, required: true }) comment!: string;
  @Prop({ type: String, required: true }) postedBy!: string;
  @Prop({ type: Date, required: true }) postedAt!: Date;
  /** When its text was last changed; `null`: never. */
  @Prop({ type: Date, default: null }) editedAt!: Date | null;
  @Prop({ type: StoredBodySchema, required: true }) body!: StoredBody;
  /** Characters of its text: how much a list of it weighs. */
  @Prop({ type: Number, required: true }) size!: number;
  @Prop({ type: [ReactionGroupSchema], default: [] }) reactions!: ReactionGroup[];
  /** Raised by each change. */
  @Prop({ type: Number, default: 1 }) version!: number;
}

export const CommentReplySchema = SchemaFactory.createForClass(CommentReply);
CommentReplySchema.index({ comment: 1, postedAt: 1, _id: 1 }); // list(), removeUnder()
CommentReplySchema.index({ space: 1 }); // removeOf()
