import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** Who signs the tokens of visitors: an application of the customer, or an integration. */
export const AUTH_BACKENDS = ['custom', 'integration'] as const;
export type AuthBackend = (typeof AUTH_BACKENDS)[number];

/** How visitors of a site sign in. */
@Schema({ collection: 'site_visitor_auth', timestamps: true, versionKey: false })
export class VisitorAuth {
  /** That of the site. */
  @Prop({ type: String }) _id!: string;
  @Prop({ type: String, enum: AUTH_BACKENDS, default: 'custom' }) backend!: AuthBackend;
  /** The key that tokens are signed with, encrypted (decision 6.6). */
  @Prop({ type: String, required: true }) sealedKey!: string;
  /** Where visitors without a valid token are sent, or `null`. */
  @Prop({ type: String, default: null }) fallbackURL!: string | null;
  createdAt!: Date;
  updatedAt!: Date;
}

export const VisitorAuthSchema = SchemaFactory.createForClass(VisitorAuth);
