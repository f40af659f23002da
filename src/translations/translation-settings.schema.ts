import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import type { Language } from './languages.js';

/** Translation settings of one organization, at the most. */
export const MAX_SETTINGS = 1000;

/** Some languages under a name. */
@Schema({ collection: 'translation_settings', timestamps: true, versionKey: false })
export class TranslationSettings {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** Others may have the same. */
  @Prop({ type: String, required: true }) title!: string;
  /** One at least, each once. */
  @Prop({ type: [String], default: ['en'] }) languages!: Language[];
  createdAt!: Date;
  updatedAt!: Date;
}

export const TranslationSettingsSchema = SchemaFactory.createForClass(TranslationSettings);
TranslationSettingsSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list(), their number
