import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** When a job is due and who has it, as Agenda keeps it; its ids are the driver's own. */
@Schema({ collection: 'jobs', versionKey: false })
export class JobRecord {
  @Prop({ type: String, required: true }) name!: string;
  @Prop({ type: Date, default: null }) nextRunAt!: Date | null;
  /** When somebody took it, or last said that it goes on; `null`: it is free. */
  @Prop({ type: Date, default: null }) lockedAt!: Date | null;
}

export const JobSchema = SchemaFactory.createForClass(JobRecord);
JobSchema.index({ name: 1 }, { unique: true }); // taking a job; one record for each
