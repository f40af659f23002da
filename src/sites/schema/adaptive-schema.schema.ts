import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** What a site knows of its visitors: its adaptive schema. */
@Schema({ collection: 'site_adaptive_schemas', timestamps: true, versionKey: false })
export class AdaptiveSchemaRecord {
  /** That of the site. */
  @Prop({ type: String }) _id!: string;
  /** The schema as JSON text: its names begin with `$`, and may hold dots. */
  @Prop({ type: String, required: true }) text!: string;
  createdAt!: Date;
  updatedAt!: Date;
}

export const AdaptiveSchemaSchema = SchemaFactory.createForClass(AdaptiveSchemaRecord);
