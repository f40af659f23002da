import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** Where a page of primary content stood, so that its former addresses lead to it. One record for each such place. */
@Schema({ collection: 'former_places', versionKey: false })
export class FormerPlaceRecord {
  /** Space, page above and slug, joined with spaces. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  /** Id of the page above; empty at the top. */
  @Prop({ type: String, default: '' }) parent!: string;
  /** Id of the page that stood there last. */
  @Prop({ type: String, required: true }) page!: string;
}

export const FormerPlaceSchema = SchemaFactory.createForClass(FormerPlaceRecord);
FormerPlaceSchema.index({ space: 1, parent: 1 }); // heldOnce(), purge()
