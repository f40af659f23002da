import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { type Role, ROLES } from '../common/roles.js';

export const ORGANIZATION_TYPES = ['business', 'community'] as const;
export const USE_CASES = [
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
] as const;

/** A company or community: it owns spaces and sites, and people are members of it. */
@Schema({ collection: 'organizations', timestamps: true, versionKey: false })
export class Organization {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) title!: string;
  /** Default hostname of public content; unique, see {@link Hostname}. */
  @Prop({ type: String, required: true }) hostname!: string;
  /** Lower case, without duplicates. */
  @Prop({ type: [String], default: [] }) emailDomains!: string[];
  @Prop({ type: String, enum: ORGANIZATION_TYPES, default: 'business' }) type!: (typeof ORGANIZATION_TYPES)[number];
  @Prop({ type: String, enum: [...USE_CASES, null], default: null }) useCase!: (typeof USE_CASES)[number] | null;
  /** Preset for invitations, and what spaces that inherit their level show; `null`: guest. */
  @Prop({ type: String, enum: [...ROLES, null], default: 'read' }) defaultRole!: Role | null;
  /** Id of the site shown first, or `null`. */
  @Prop({ type: String, default: null }) defaultSite!: string | null;
  @Prop({ type: String, default: null }) logo!: string | null;
  /** Whether everybody but administrators must sign in through single sign-on. */
  @Prop({ type: Boolean, default: false }) sso!: boolean;
  @Prop({ type: Boolean, default: false }) ai!: boolean;
  /** Whether invitation links can be used. */
  @Prop({ type: Boolean, default: true }) inviteLinks!: boolean;
  /** Raised whenever an administrator is about to become none: two such changes never happen at the same moment. */
  @Prop({ type: Number, default: 0 }) administratorChanges!: number;
  /** Raised by each change; the entity tag. */
  @Prop({ type: Number, default: 1 }) version!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const OrganizationSchema = SchemaFactory.createForClass(Organization);
OrganizationSchema.index({ createdAt: -1, _id: -1 }); // listOf()
OrganizationSchema.index({ emailDomains: 1, createdAt: -1, _id: -1 }); // forEmailDomain()

/** A hostname that an organization holds, the present one or a former one: nobody else can take it (decision 3.40). */
@Schema({ collection: 'hostnames', timestamps: { createdAt: true, updatedAt: false }, versionKey: false })
export class Hostname {
  /** The hostname itself. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  createdAt!: Date;
}

export const HostnameSchema = SchemaFactory.createForClass(Hostname);
HostnameSchema.index({ organization: 1 }); // the names an organization holds
