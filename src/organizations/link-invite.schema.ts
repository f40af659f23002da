import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { randomText } from '../common/ids.js';
import { type Role, ROLES } from '../common/roles.js';

/** Characters of the secret of a link: 190 bits. */
const SECRET_LENGTH = 32;

/** A link that lets whoever knows it join an organization, or have a permission on one of its spaces. */
@Schema({ collection: 'link_invites', timestamps: true, versionKey: false })
export class LinkInvite {
  /** The secret of the link (decision B.3). */
  @Prop({ type: String, default: () => randomText(SECRET_LENGTH) }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** The space that it is for; `null`: the organization. */
  @Prop({ type: String, default: null }) space!: string | null;
  /** The role in the organization or the level in the space; `null`: guest, or no access. */
  @Prop({ type: String, enum: [...ROLES, null], default: null }) role!: Role | null;
  createdAt!: Date;
  updatedAt!: Date;
}

export const LinkInviteSchema = SchemaFactory.createForClass(LinkInvite);
LinkInviteSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list()
LinkInviteSchema.index({ space: 1 }); // those of a space that goes
