import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

/** Descriptions of one organization, at the most. */
export const MAX_SPECS = 1000;

/** How far the look at a description is (decision 3.58). */
export const PROCESSING_STATES = ['pending', 'progress', 'complete'] as const;
export type ProcessingState = (typeof PROCESSING_STATES)[number];

/** Why the last look at it made no version (decision 3.58). */
export const PROCESS_ERRORS = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'] as const;
export type ProcessError = (typeof PROCESS_ERRORS)[number];

/** What a server says of a text, to be asked with whether that is still so. */
export interface Validators {
  /** The address that it was said of. */
  url: string;
  etag: string | null;
  lastModified: string | null;
}

/** The description of an API: where it comes from, and what became of it. What it says stands in its versions. */
@Schema({ collection: 'openapi_specs', timestamps: true, versionKey: false })
export class OpenApiSpec {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** Unique in the organization; never changes. */
  @Prop({ type: String, required: true }) slug!: string;
  /** Where it is fetched from; `null` where its text was sent. */
  @Prop({ type: String, default: null }) url!: string | null;
  /** Hash of the bytes of the text that was sent; `null` where it is fetched. */
  @Prop({ type: String, default: null }) text!: string | null;
  /** Counts the sources that it was given, so that what was made of an earlier one is not taken for the present one. */
  @Prop({ type: Number, default: 1 }) source!: number;
  @Prop({ type: Object, default: null }) validators!: Validators | null;

  @Prop({ type: String, default: 'pending' }) processingState!: ProcessingState;
  @Prop({ type: Date, default: null }) lastProcessedAt!: Date | null;
  @Prop({ type: String, default: null }) lastProcessErrorCode!: ProcessError | null;
  /** Id of the newest version; `null` before there is one. */
  @Prop({ type: String, default: null }) lastVersion!: string | null;

  /** When it is to be looked at; `null`: not by itself. */
  @Prop({ type: Date, default: null }) dueAt!: Date | null;
  /** Until when it is somebody's to look at; in the past: nobody's. */
  @Prop({ type: Date, default: new Date(0) }) leasedUntil!: Date;
  /** What tells the present lease from others; `null`: none. */
  @Prop({ type: String, default: null }) lease!: string | null;
  createdAt!: Date;
  updatedAt!: Date;
}

export const OpenApiSpecSchema = SchemaFactory.createForClass(OpenApiSpec);
OpenApiSpecSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list(), their number
OpenApiSpecSchema.index({ organization: 1, slug: 1 }, { unique: true }); // find()
OpenApiSpecSchema.index({ dueAt: 1 }); // SpecQueue.take()
OpenApiSpecSchema.index({ text: 1 }); // which bytes are referred to
