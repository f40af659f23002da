import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../../common/ids.js';

/**
 * A part of a space's search index: some pages, as they were at one moment. It is never changed: a page that changes is
 * written to a later segment, which hides it in all earlier ones, and small segments are merged into larger ones.
 */
@Schema({ collection: 'search_segments', versionKey: false })
export class SearchSegment {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  /** Later segments of a space have higher numbers; a merged one has that of its latest part. */
  @Prop({ type: Number, required: true }) sequence!: number;
  /** Number of pages that it holds or says are gone. */
  @Prop({ type: Number, required: true }) size!: number;
  /** Whether it is searched. One that is not is still being written by a merge, or has been replaced by one. */
  @Prop({ type: Boolean, required: true }) live!: boolean;
  /** When it was written, or became live or not. */
  @Prop({ type: Date, required: true }) changedAt!: Date;
}

export const SearchSegmentSchema = SchemaFactory.createForClass(SearchSegment);
SearchSegmentSchema.index({ space: 1, live: 1, sequence: -1 }); // list(), the next sequence, remains(), clear()

/** A piece of a segment: neighbouring words with the pages they stand in. */
@Schema({ collection: 'search_blocks', versionKey: false })
export class SearchBlock {
  /** Id of the segment, a colon, and the number of the block from 0. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) segment!: string;
  /** As blocks.ts encodes it. */
  @Prop({ type: Buffer, required: true }) data!: Buffer;
  /** In the first block of each segment: its {@link Table}, as JSON. */
  @Prop({ type: String, default: null }) table!: string | null;
}

export const SearchBlockSchema = SchemaFactory.createForClass(SearchBlock);
SearchBlockSchema.index({ segment: 1 }); // drop()

/** What a segment holds. */
export interface Table {
  /** Ids of the pages; postings name them by their place here. */
  pages: string[];
  /** Keys of the documents of `pages`, in the same order. */
  documents: string[];
  /** Ids of pages that are gone, so that earlier segments show them no more. */
  removed: string[];
  /** First word of each block. */
  words: string[];
}
