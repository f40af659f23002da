import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { ConfigurationSchemas } from './declared/configuration-schema.js';
import type { ContentSecurityPolicy } from './declared/content-security-policy.js';
import type { ImageEnding } from './declared/images.js';

/** Integrations of one organization, at the most. */
export const MAX_INTEGRATIONS = 200;
/** Bytes of {@link Integration.declared}: lists hold many of them. */
export const MAX_DECLARED = 131_072;

/** What integrations are called. */
export const INTEGRATION_NAME = /^[a-zA-Z0-9-_.]{1,100}$/;

/** Who finds an integration (decision 3.80). */
export const INTEGRATION_VISIBILITIES = ['public', 'private', 'unlisted'] as const;
export type IntegrationVisibility = (typeof INTEGRATION_VISIBILITIES)[number];

/** Who finds an integration that everybody finds. */
export const EVERYBODY = 'public';

/** What it can be installed on (decision 3.81). */
export const INTEGRATION_TARGETS = ['all', 'site', 'space', 'organization'] as const;
export type IntegrationTarget = (typeof INTEGRATION_TARGETS)[number];

/** What it asks to be allowed (decision 3.82). */
export const INTEGRATION_SCOPES = [
  'space:views:read',
  'space:content:read',
  'space:content:write',
  'space:metadata:read',
  'space:metadata:write',
  'space:script:inject',
  'space:script:cookies',
  'space:git:sync',
  'space:visitor:auth',
  'site:metadata:read',
  'site:views:read',
  'site:script:inject',
  'site:script:cookies',
  'site:visitor:auth',
  'site:adaptive:read',
  'site:adaptive:write',
  'openapi:read',
  'openapi:write',
  'conversations:ingest',
] as const;
export type IntegrationScope = (typeof INTEGRATION_SCOPES)[number];

/** Under what it is listed (decision 3.83). */
export const INTEGRATION_CATEGORIES = [
  'analytics',
  'collaboration',
  'content',
  'gitsync',
  'marketing',
  'visitor-auth',
  'other',
] as const;
export type IntegrationCategory = (typeof INTEGRATION_CATEGORIES)[number];

/** A block that it adds to pages. */
export interface DeclaredBlock {
  id: string;
  title: string;
  description?: string;
  icon?: string;
  urlUnfurl?: string[];
  markdown?: { codeblock: string; body: string };
}

/** Something that it makes pages of. */
export interface DeclaredContentSource {
  id: string;
  title: string;
  description?: string;
  icon?: string;
  configuration: { componentId: string };
}

/** What its publisher declares, and answers give back as it came. */
export interface Declared {
  blocks: DeclaredBlock[];
  contentSources: DeclaredContentSource[];
  configurations: ConfigurationSchemas;
  externalLinks: { url: string; label: string }[];
  contentSecurityPolicy?: ContentSecurityPolicy;
}

/** An image of an integration: its bytes, and what they are. */
@Schema({ _id: false })
export class IntegrationImage {
  /** Hash of the bytes, see `Blobs`. */
  @Prop({ type: String, required: true }) blob!: string;
  @Prop({ type: String, required: true }) ending!: ImageEnding;
}
const ImageSchema = SchemaFactory.createForClass(IntegrationImage);

/** Something that extends the service, published by an organization under a name of which there is one. */
@Schema({ collection: 'integrations', timestamps: true, versionKey: false })
export class Integration {
  /** Its name. */
  @Prop({ type: String, required: true }) _id!: string;
  /** The organization that publishes it. */
  @Prop({ type: String, required: true }) organization!: string;
  /** Raised by each publication (decision 3.87). */
  @Prop({ type: Number, required: true }) version!: number;
  @Prop({ type: String, required: true }) title!: string;
  /** Name and title as they are searched. */
  @Prop({ type: String, required: true }) folded!: string;
  @Prop({ type: String, default: '' }) description!: string;
  @Prop({ type: String, default: null }) summary!: string | null;
  @Prop({ type: String, enum: INTEGRATION_VISIBILITIES, required: true }) visibility!: IntegrationVisibility;
  /** Who finds it in lists: `public`, or the id of its organization. */
  @Prop({ type: String, required: true }) listed!: string;
  @Prop({ type: String, enum: INTEGRATION_TARGETS, required: true }) target!: IntegrationTarget;
  @Prop({ type: [String], default: [] }) scopes!: IntegrationScope[];
  @Prop({ type: [String], default: [] }) categories!: IntegrationCategory[];
  /** {@link Declared} as JSON: the names in it are those of others. */
  @Prop({ type: String, required: true }) declared!: string;
  /** Characters of it. */
  @Prop({ type: Number, required: true }) size!: number;
  @Prop({ type: Boolean, required: true }) hasBlocks!: boolean;
  @Prop({ type: Boolean, required: true }) hasContentSources!: boolean;
  /** Where addresses become its blocks, see `domainsOf()`. */
  @Prop({ type: [String], default: [] }) domains!: string[];
  @Prop({ type: ImageSchema, default: null }) icon!: IntegrationImage | null;
  @Prop({ type: [ImageSchema], default: [] }) previewImages!: IntegrationImage[];
  /** Hash of the script, see `Blobs`. */
  @Prop({ type: String, required: true }) script!: string;
  /** Hashes of everything of it that `Blobs` keeps. */
  @Prop({ type: [String], default: [] }) blobs!: string[];
  /** Its secrets as JSON, sealed with the key of the installation (decision 3.86); `null`: it has none. */
  @Prop({ type: String, default: null }) secrets!: string | null;
  /** Counts those who rely on it to stay while they write something else. */
  @Prop({ type: Number, default: 0 }) holds!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const IntegrationSchema = SchemaFactory.createForClass(Integration);
IntegrationSchema.index({ listed: 1, createdAt: -1, _id: -1 }); // list()
IntegrationSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list() of one owner, their number
IntegrationSchema.index({ blobs: 1 }); // which bytes are used

/** What the publisher of `integration` declares. */
export function declaredOf({ declared }: Pick<Integration, 'declared'>): Declared {
  return JSON.parse(declared) as Declared;
}
