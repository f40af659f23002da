import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { FrontMatter } from './front-matter.js';
import type { Heading, MarkdownLink, Section } from './outline.js';

/** A Markdown text and what is known about it. Immutable; its id is the hash of organization and Markdown. */
@Schema({ collection: 'documents', versionKey: false, minimize: false })
export class StoredDocument {
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** As it was given, byte for byte. */
  @Prop({ type: String, default: '' }) markdown!: string;
  @Prop({ type: String }) title?: string;
  @Prop({ type: String }) description?: string;
  @Prop({ type: [Object], default: [] }) headings!: readonly Heading[];
  @Prop({ type: [String], default: undefined }) anchors?: readonly string[];
  @Prop({ type: [Object], default: [] }) links!: readonly MarkdownLink[];
  @Prop({ type: [Object], default: [] }) sections!: readonly Section[];
  @Prop({ type: Object }) frontMatter?: FrontMatter;
  /** Which version of the reader found out what is known; absent in records of 0.1.0. One of another version is not used. */
  @Prop({ type: Number, required: true }) outlineVersion!: number;
  /** When somebody last wrote it or built upon it. */
  @Prop({ type: Date, required: true }) touchedAt!: Date;
}

export const DocumentSchema = SchemaFactory.createForClass(StoredDocument);
