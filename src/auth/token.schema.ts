import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

/** `session`: from a sign-in, ends by itself. `api`: made by hand for a program. */
export const TOKEN_KINDS = ['session', 'api'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** A bearer token. The token itself is not stored, only its hash. */
@Schema({ collection: 'tokens', timestamps: { createdAt: true, updatedAt: false }, versionKey: false })
export class Token {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) user!: string;
  @Prop({ type: String, enum: TOKEN_KINDS, required: true }) kind!: TokenKind;
  /** SHA-256 of the whole token, base64url. */
  @Prop({ type: String, required: true }) hash!: string;
  @Prop({ type: String, default: '' }) label!: string;
  /** From when on it is refused; `null`: never. */
  @Prop({ type: Date, default: null }) expiresAt!: Date | null;
  createdAt!: Date;
}

export const TokenSchema = SchemaFactory.createForClass(Token);
TokenSchema.index({ hash: 1 }, { unique: true }); // authenticate()
TokenSchema.index({ user: 1, kind: 1, createdAt: -1, _id: -1 }); // list()
TokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 }); // the database removes what has expired
