import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

/** Teams of one organization, at the most. */
export const MAX_TEAMS = 1000;

/** Some members of an organization under a name. Who they are stands in the records of the members. */
@Schema({ collection: 'teams', timestamps: true, versionKey: false })
export class Team {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** Others may have the same. */
  @Prop({ type: String, required: true }) title!: string;
  /** The title as it is searched. */
  @Prop({ type: String, required: true }) folded!: string;
  /** How many members belong to it. */
  @Prop({ type: Number, default: 0 }) members!: number;
  /** Counts what was done to it, so that two changes of its members at once notice each other. */
  @Prop({ type: Number, default: 0 }) changes!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const TeamSchema = SchemaFactory.createForClass(Team);
TeamSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list(), their number
