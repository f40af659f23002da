import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { MergeRule } from './merge-rules.js';

/** The merge rules of an organization or of a space. */
@Schema({ collection: 'merge_rules', timestamps: true, versionKey: false })
export class MergeRuleSet {
  /** Id of the organization or space. */
  @Prop({ type: String, required: true }) _id!: string;
  /** Whose they are. */
  @Prop({ type: String, enum: ['organization', 'space'], required: true }) of!: 'organization' | 'space';
  /** Of a space: whether the rules of the organization hold too. */
  @Prop({ type: Boolean, default: true }) inherit!: boolean;
  @Prop({ type: [Object], default: [] }) rules!: MergeRule[];
  /** Who may merge although a rule fails. */
  @Prop({ type: [String], default: [] }) bypass!: string[];
  createdAt!: Date;
  updatedAt!: Date;
}

export const MergeRuleSetSchema = SchemaFactory.createForClass(MergeRuleSet);
