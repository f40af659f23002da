import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes } from 'mongoose';
import type { CustomizationPart } from './settings.js';

/** Bytes of settings as JSON, at the most: those of all site-spaces are read for every visitor. */
export const MAX_BYTES = 32_768;

/** What somebody has set of how a site looks, or one of its site-spaces. */
@Schema({ collection: 'site_customizations', timestamps: true, versionKey: false, minimize: false })
export class CustomizationRecord {
  /** That of the site, or `site:siteSpace`. */
  @Prop({ type: String }) _id!: string;
  @Prop({ type: String, required: true }) site!: string;
  /** `null`: the settings of the site itself. */
  @Prop({ type: String, default: null }) siteSpace!: string | null;
  @Prop({ type: SchemaTypes.Mixed, required: true }) part!: CustomizationPart;
  createdAt!: Date;
  updatedAt!: Date;
}

export const CustomizationSchema = SchemaFactory.createForClass(CustomizationRecord);
CustomizationSchema.index({ site: 1 }); // all(), forget()
