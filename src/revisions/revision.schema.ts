import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';

/** How revisions come about; `rollback` and `computed` are known to the contract, and nothing makes them. */
export const REVISION_TYPES = ['edits', 'merge', 'rollback', 'update', 'computed'] as const;
export type RevisionType = (typeof REVISION_TYPES)[number];

/** Where a revision came from in Git. */
export interface RevisionGit {
  oid: string;
  message: string;
  createdByService: boolean;
  url?: string;
  ref?: string;
}

/** A state of a space's content. Immutable. */
@Schema({ collection: 'revisions', timestamps: { createdAt: true, updatedAt: false }, versionKey: false })
export class Revision {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: String, required: true }) space!: string;
  @Prop({ type: String, enum: REVISION_TYPES, required: true }) type!: RevisionType;
  /** What it was made from: none for the first, else the revision edited; of a merge the one merged into, then the other. */
  @Prop({ type: [String], default: [] }) parents!: string[];
  /** Content key of all it holds: equal roots are equal contents. */
  @Prop({ type: String, required: true }) root!: string;
  /** Who made it; `null`: nobody in particular. */
  @Prop({ type: String, default: null }) author!: string | null;
  /** The change request that it belongs to, or whose merge it is. */
  @Prop({ type: String, default: null }) changeRequest!: string | null;
  @Prop({ type: Object, default: null }) git!: RevisionGit | null;
  createdAt!: Date;
}

/** Whether a revision is one of a change request that never was, and is not, the primary content of its space. */
export function isDraft({ changeRequest, type }: Pick<Revision, 'changeRequest' | 'type'>): boolean {
  return changeRequest !== null && type !== 'merge';
}

export const RevisionSchema = SchemaFactory.createForClass(Revision);
RevisionSchema.index({ space: 1, createdAt: -1, _id: -1 }); // history()
