import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** A piece of the content of revisions. Immutable; its id is the hash of organization and text. */
@Schema({ collection: 'chunks', versionKey: false })
export class ChunkRecord {
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** Canonical JSON: text, so that names from outside never become field names of the database. */
  @Prop({ type: String, required: true }) text!: string;
  /** When somebody last wrote it or built upon it. */
  @Prop({ type: Date, required: true }) touchedAt!: Date;
}

export const ChunkSchema = SchemaFactory.createForClass(ChunkRecord);
