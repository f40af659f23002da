import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

/** A person. What somebody may do stands in the memberships, not here. */
@Schema({ collection: 'users', timestamps: true, versionKey: false })
export class User {
  @Prop({ type: String, default: newId }) _id!: string;
  /** Lower case; unique. */
  @Prop({ type: String, required: true }) email!: string;
  @Prop({ type: String, required: true }) displayName!: string;
  @Prop({ type: String, default: null }) photoURL!: string | null;
  /** What `hashPassword` made; `null`: this person cannot sign in with a password. */
  @Prop({ type: String, default: null }) password!: string | null;
  /** Whether an identity provider vouched for the address. */
  @Prop({ type: Boolean, default: false }) emailVerified!: boolean;
  /** Whether this stands for somebody who was invited and has not come yet; nobody can sign in. */
  @Prop({ type: Boolean, default: false }) placeholder!: boolean;
  /** Raised by what must meet a change of this person: memberships, which repeat the name, and sign-ins, which hold the password. */
  @Prop({ type: Number, default: 0 }) joins!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const UserSchema = SchemaFactory.createForClass(User);
UserSchema.index({ email: 1 }, { unique: true }); // findByEmail()
