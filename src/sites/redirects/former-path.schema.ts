import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** Where a section or a site-space stood, so that its former addresses lead to it (domain 5.1). */
@Schema({ collection: 'site_former_paths', timestamps: false, versionKey: false })
export class FormerPathRecord {
  @Prop({ type: String }) _id!: string;
  @Prop({ type: String, required: true }) site!: string;
  /** Id of the section that held it; empty at the root. */
  @Prop({ type: String, default: '' }) parent!: string;
  /** Its segment; empty for a default. */
  @Prop({ type: String, default: '' }) path!: string;
  /** Id of the section or site-space. */
  @Prop({ type: String, required: true }) item!: string;
  /** When it left. */
  @Prop({ type: Date, required: true }) at!: Date;
}

export const FormerPathSchema = SchemaFactory.createForClass(FormerPathRecord);
FormerPathSchema.index({ site: 1, path: 1, at: -1 }); // at(), removed with the site
