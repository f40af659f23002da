import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes } from 'mongoose';
import { newId } from '../../common/ids.js';

/** Redirects of one site, at the most. */
export const MAX_REDIRECTS = 5000;

/** Where a redirect leads: to a part of the site, or to a page in one of its site-spaces. */
export type RedirectDestination =
  | { kind: 'site-section'; siteSectionId: string }
  | { kind: 'site-space'; siteSpaceId: string }
  | { kind: 'site-page'; siteSpaceId: string; pageId: string };

/** A redirect that somebody wrote. */
@Schema({ collection: 'site_redirects', timestamps: true, versionKey: false })
export class Redirect {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) site!: string;
  /** As it was written. */
  @Prop({ type: String, required: true }) source!: string;
  /** The same for all ways to write that path. */
  @Prop({ type: String, required: true }) key!: string;
  @Prop({ type: SchemaTypes.Mixed, required: true }) destination!: RedirectDestination;
  createdAt!: Date;
  updatedAt!: Date;
}

export const RedirectSchema = SchemaFactory.createForClass(Redirect);
RedirectSchema.index({ site: 1, createdAt: -1, _id: -1 }); // list(), removed
RedirectSchema.index({ site: 1, key: 1 }, { unique: true }); // one for each source; find()
