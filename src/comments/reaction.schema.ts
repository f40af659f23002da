import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

/** That a person reacted to a comment or a reply with an emoji; once with each (decision 3.57). */
@Schema({ collection: 'comment_reactions', versionKey: false })
export class Reaction {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  /** The comment, or the one that the reply is to. */
  @Prop({ type: String, required: true }) comment!: string;
  /** The reply; `null`: the comment itself. */
  @Prop({ type: String, default: null }) reply!: string | null;
  @Prop({ type: String, required: true }) user!: string;
  /** The emoji, whatever its spelling. */
  @Prop({ type: String, required: true }) key!: string;
  @Prop({ type: Date, required: true }) reactedAt!: Date;
}

export const ReactionSchema = SchemaFactory.createForClass(Reaction);
ReactionSchema.index({ comment: 1, reply: 1, user: 1, key: 1 }, { unique: true }); // one each, ownOf(), removeUnder()
ReactionSchema.index({ comment: 1, reply: 1, key: 1, reactedAt: 1, _id: 1 }); // the first ones
ReactionSchema.index({ space: 1 }); // removeOf()
