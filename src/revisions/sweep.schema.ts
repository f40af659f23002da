import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** What a sweep of the store is at, in this order; then it is over. */
export const SWEEP_PHASES = ['mark', 'chunks', 'documents', 'blobs', 'clear', 'done'] as const;
export type SweepPhase = (typeof SWEEP_PHASES)[number];

/** How far the sweep of the store has come: one record. */
@Schema({ collection: 'sweeps', versionKey: false })
export class SweepState {
  @Prop({ type: String, required: true }) _id!: string;
  /** Whose sweep it is: who takes it over changes it, and whoever had it ends. */
  @Prop({ type: String, required: true }) owner!: string;
  /** Number of the sweep; marks bear it, so that those of a sweep that was given up count for nothing. */
  @Prop({ type: Number, required: true }) generation!: number;
  @Prop({ type: Date, required: true }) startedAt!: Date;
  @Prop({ type: String, enum: SWEEP_PHASES, required: true }) phase!: SweepPhase;
  /** The last id that this phase is done with. */
  @Prop({ type: String, default: '' }) after!: string;
}

export const SweepStateSchema = SchemaFactory.createForClass(SweepState);

/** That something remains. Its id is the generation, a slash and the key of a chunk or document, or `blob/` and a hash. */
@Schema({ collection: 'sweep_marks', versionKey: false })
export class SweepMark {
  @Prop({ type: String, required: true }) _id!: string;
}

export const SweepMarkSchema = SchemaFactory.createForClass(SweepMark);
