import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes } from 'mongoose';
import { newId } from '../common/ids.js';
import { EMPTY_STRUCTURE, type SiteStructure } from './structure/structure.js';

export const SITE_TYPES = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export type SiteType = (typeof SITE_TYPES)[number];

/** From the widest audience to the narrowest (decision 3.27). */
export const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
export type SiteVisibility = (typeof SITE_VISIBILITIES)[number];

/** What stands for a site in lists of them: taken from the favicon of its customization (decision 3.3). */
export type SiteIcon = { icon: { light: string; dark: string } } | { emoji: string };

/**
 * A published documentation site. Everything about its parts stands in this record, which is bounded, and changes as a
 * whole: whoever changes it has read it as it is.
 */
@Schema({ collection: 'sites', timestamps: true, versionKey: false })
export class Site {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: String, required: true }) title!: string;
  /** The title as it is searched. */
  @Prop({ type: String, required: true }) folded!: string;
  @Prop({ type: String, enum: SITE_TYPES, default: 'basic' }) type!: SiteType;
  @Prop({ type: String, enum: SITE_VISIBILITIES, default: 'public' }) visibility!: SiteVisibility;
  /** Its segment in addresses, unique in the organization. */
  @Prop({ type: String, required: true }) basename!: string;
  @Prop({ type: Boolean, default: false }) published!: boolean;
  /** Host and path of another server that it is shown under, or `null`. */
  @Prop({ type: String, default: null }) proxy!: string | null;
  /** The same as addresses are compared: the host in lower case. */
  @Prop({ type: String, default: null }) proxyKey!: string | null;
  /** Whether conditions and claims of visitors decide what is shown. */
  @Prop({ type: Boolean, default: false }) adaptiveContent!: boolean;
  @Prop({ type: SchemaTypes.Mixed, default: () => EMPTY_STRUCTURE }) structure!: SiteStructure;
  /** Characters of the structure as JSON: lists do not hold more of them than they can. */
  @Prop({ type: Number, default: 0 }) size!: number;
  /** Ids of the spaces in the structure, each once. */
  @Prop({ type: [String], default: [] }) spaces!: string[];
  /** Those of them that are in the trash: answers show none of what stands for them. */
  @Prop({ type: [String], default: [] }) trashed!: string[];
  /** The icon of the customization. */
  @Prop({ type: SchemaTypes.Mixed, default: null }) icon!: SiteIcon | null;
  /** Ids of the site-spaces with customizations of their own. */
  @Prop({ type: [String], default: [] }) customized!: string[];
  /** How many redirects there are that people made. */
  @Prop({ type: Number, default: 0 }) redirects!: number;
  /** Counts those who rely on it to stay while they write something else. */
  @Prop({ type: Number, default: 0 }) holds!: number;
  /** Raised by each change that a visitor could see. */
  @Prop({ type: Number, default: 1 }) version!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const SiteSchema = SchemaFactory.createForClass(Site);
SiteSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list()
SiteSchema.index({ organization: 1, basename: 1 }, { unique: true }); // one site for an address
SiteSchema.index({ proxyKey: 1 }, { unique: true, partialFilterExpression: { proxyKey: { $type: 'string' } } }); // the same
SiteSchema.index({ spaces: 1, published: 1 }); // bySpaces(), carries(), idsCarrying()
