import { createHash } from 'node:crypto';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** That a request was answered, or an assertion used: it counts once, in whichever process. */
@Schema({ collection: 'saml_uses', versionKey: false })
export class SamlUse {
  /** See {@link useId}: that it is unique is what lets nothing be used twice. */
  @Prop({ type: String, required: true }) _id!: string;
  /** When the request ends anyhow, and with it whatever answers it. */
  @Prop({ type: Date, required: true }) expiresAt!: Date;
}

export const SamlUseSchema = SchemaFactory.createForClass(SamlUse);
SamlUseSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 }); // the database removes what no longer counts

/** The id of the record of a request or an assertion `id` of `provider`. */
export function useId(provider: string, kind: 'request' | 'assertion', id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([provider, kind, id]))
    .digest('base64url');
}
