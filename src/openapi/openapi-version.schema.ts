import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

/** Bytes that a version refers to. */
@Schema({ _id: false })
export class VersionBytes {
  @Prop({ type: String, required: true }) hash!: string;
  /** Bytes. */
  @Prop({ type: Number, required: true }) size!: number;
}

const BytesSchema = SchemaFactory.createForClass(VersionBytes);

/** What a description said at some time. Immutable. */
@Schema({ collection: 'openapi_versions', versionKey: false })
export class OpenApiVersion {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) spec!: string;
  /** The version before; `null` for the first. */
  @Prop({ type: String, default: null }) previous!: string | null;
  /** SHA-256 of what it says, hexadecimal: equal for texts that say the same in another form. */
  @Prop({ type: String, required: true }) hash!: string;
  /** What the text is written in. */
  @Prop({ type: String, required: true }) format!: 'json' | 'yaml';
  /** The text as it was sent or fetched. */
  @Prop({ type: BytesSchema, required: true }) text!: VersionBytes;
  /** The same as JSON. */
  @Prop({ type: BytesSchema, required: true }) document!: VersionBytes;
  /** Its operations, tags and names of schemas, as JSON. */
  @Prop({ type: BytesSchema, required: true }) outline!: VersionBytes;
  @Prop({ type: Date, required: true }) createdAt!: Date;
}

export const OpenApiVersionSchema = SchemaFactory.createForClass(OpenApiVersion);
OpenApiVersionSchema.index({ spec: 1, createdAt: -1, _id: -1 }); // list(), removeAll()
OpenApiVersionSchema.index({ 'text.hash': 1 }); // which bytes are referred to
OpenApiVersionSchema.index({ 'document.hash': 1 }); // the same
OpenApiVersionSchema.index({ 'outline.hash': 1 }); // the same
