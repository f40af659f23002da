import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { type Role, ROLES } from '../common/roles.js';

/** Identity providers of one organization, at the most. */
export const MAX_PROVIDERS = 100;

export const PROVIDER_STATUSES = ['active', 'pending'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

/** An identity provider that an organization lets its people in by. */
@Schema({ collection: 'saml_providers', timestamps: true, versionKey: false })
export class SamlProvider {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: String, required: true }) label!: string;
  /** Where people sign in. */
  @Prop({ type: String, default: null }) ssoURL!: string | null;
  /** What the identity provider calls itself. */
  @Prop({ type: String, default: null }) entityID!: string | null;
  /** What it signs with, as it was entered. */
  @Prop({ type: String, default: null }) certificate!: string | null;
  /** Id of the team that new people join. */
  @Prop({ type: String, default: null }) defaultTeam!: string | null;
  /** Role of new people; `null`: guests. */
  @Prop({ type: String, enum: [...ROLES, null], default: null }) defaultRole!: Role | null;
  createdAt!: Date;
  updatedAt!: Date;
}

export const SamlProviderSchema = SchemaFactory.createForClass(SamlProvider);
// lists, their number, active providers, those that name a team
SamlProviderSchema.index({ organization: 1, createdAt: -1, _id: -1 });

/** An identity provider of which everything is known that a sign-in needs. */
export type ActiveProvider = SamlProvider & { ssoURL: string; entityID: string; certificate: string };

/** Whether people can sign in by `provider` (decision 3.47). */
export function isActive(provider: SamlProvider): provider is ActiveProvider {
  return provider.ssoURL !== null && provider.entityID !== null && provider.certificate !== null;
}

/** The filter of providers that {@link isActive}. */
export const ACTIVE = { ssoURL: { $ne: null }, entityID: { $ne: null }, certificate: { $ne: null } } as const;
