import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../../common/ids.js';

/** Share links of a site. */
export const MAX_SHARE_LINKS = 1000;

/** A secret that lets whoever has it read a site with the visibility `share-link`. */
@Schema({ collection: 'site_share_links', timestamps: true, versionKey: false })
export class ShareLink {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) site!: string;
  @Prop({ type: String, default: '' }) name!: string;
  @Prop({ type: Boolean, default: true }) active!: boolean;
  /** The key, encrypted (decision 6.6): managers are shown it again. */
  @Prop({ type: String, required: true }) sealedKey!: string;
  /** A keyed hash of the key, by which it is found. */
  @Prop({ type: String, required: true }) keyHash!: string;
  createdAt!: Date;
  updatedAt!: Date;
}

export const ShareLinkSchema = SchemaFactory.createForClass(ShareLink);
ShareLinkSchema.index({ site: 1, createdAt: -1, _id: -1 }); // list(), removeAll()
ShareLinkSchema.index({ site: 1, keyHash: 1 }, { unique: true }); // accepted()
