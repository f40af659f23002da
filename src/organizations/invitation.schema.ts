import { createHash } from 'node:crypto';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** That somebody without an account was invited: who shows the secret becomes the placeholder that was made. */
@Schema({ collection: 'invitations', timestamps: { createdAt: true, updatedAt: false }, versionKey: false })
export class Invitation {
  /** See {@link invitationId}; the secret itself is not stored. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** Id of the placeholder. */
  @Prop({ type: String, required: true }) user!: string;
  createdAt!: Date;
}

export const InvitationSchema = SchemaFactory.createForClass(Invitation);
InvitationSchema.index({ user: 1, organization: 1 }, { unique: true }); // those of somebody who came, left or is invited again

/** The id of the invitation with the secret `secret`: its SHA-256. */
export const invitationId = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
