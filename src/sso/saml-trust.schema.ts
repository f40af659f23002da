import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** That somebody has come in by an identity provider of an organization, whose word about them counts since. */
@Schema({ collection: 'saml_trusts', timestamps: { createdAt: true, updatedAt: false }, versionKey: false })
export class SamlTrust {
  /** See {@link trustId}. */
  @Prop({ type: String, required: true }) _id!: string;
  createdAt!: Date;
}

export const SamlTrustSchema = SchemaFactory.createForClass(SamlTrust);

/** The id of the record of `user` and `organization`. */
export const trustId = (organization: string, user: string): string => `${organization}:${user}`;
