import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** Attempts to sign in that failed, of one account or from one address, since the last that did not. */
@Schema({ collection: 'sign_in_failures', versionKey: false })
export class SignInFailure {
  /** A hash of what is counted, so that the record tells nobody's address. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: Number, required: true }) failures!: number;
  /** Until when nobody is let try again. */
  @Prop({ type: Date, required: true }) until!: Date;
  /** When all is forgotten. */
  @Prop({ type: Date, required: true }) expiresAt!: Date;
}

export const SignInFailureSchema = SchemaFactory.createForClass(SignInFailure);
SignInFailureSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 }); // the database forgets
