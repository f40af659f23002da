import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { DEFAULT_LEVELS, type DefaultLevel, type Grant, GrantSchema } from './grant.schema.js';

export const EDIT_MODES = ['live', 'locked'] as const;
export type EditMode = (typeof EDIT_MODES)[number];

/**
 * A container of documentation. Its content is the revision it points to. What decides about access stands in the record
 * itself and in the collections above it.
 */
@Schema({ collection: 'spaces', timestamps: true, versionKey: false })
export class Space {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** The collection it stands in, or `null` at the root. */
  @Prop({ type: String, default: null }) parent!: string | null;
  /** Where it stands among the spaces and collections with the same parent: they are sorted by it. */
  @Prop({ type: String, required: true }) order!: string;
  @Prop({ type: String, required: true }) title!: string;
  @Prop({ type: String, default: '📄' }) emoji!: string;
  /** `locked`: primary content changes through change requests only. */
  @Prop({ type: String, enum: EDIT_MODES, default: 'live' }) editMode!: EditMode;
  /** What members may do without an entry of their own. */
  @Prop({ type: String, enum: DEFAULT_LEVELS, default: 'inherit' }) defaultLevel!: DefaultLevel;
  /** Entries of people. */
  @Prop({ type: [GrantSchema], default: [] }) users!: Grant[];
  /** Entries of teams. */
  @Prop({ type: [GrantSchema], default: [] }) teams!: Grant[];
  /** The revision that is the primary content; it moves by compare-and-set only. */
  @Prop({ type: String, required: true }) revision!: string;
  /** The revision that search and links stand at; `null`: they know nothing of the space yet. */
  @Prop({ type: String, default: null }) indexedRevision!: string | null;
  /** The revision that search and links are on the way to, or `null`: whoever takes over goes on to it first. */
  @Prop({ type: String, default: null }) indexTarget!: string | null;
  /** Whether search and links are behind the primary content. */
  @Prop({ type: Boolean, default: false }) indexing!: boolean;
  /** Counts the batches in which the index caught up, so that two processes that do it at once notice each other. */
  @Prop({ type: Number, default: 0 }) indexSteps!: number;
  /** Open comments on primary content. */
  @Prop({ type: Number, default: 0 }) comments!: number;
  @Prop({ type: Number, default: 0 }) changeRequests!: number;
  @Prop({ type: Number, default: 0 }) changeRequestsOpen!: number;
  @Prop({ type: Number, default: 0 }) changeRequestsDraft!: number;
  /** Counts those who relied on it to stay while they wrote something else; 0: it has never been on a site. */
  @Prop({ type: Number, default: 0 }) holds!: number;
  /** Raised by each change of the settings; the entity tag. */
  @Prop({ type: Number, default: 1 }) version!: number;
  /** When it went to the trash; it is purged 7 days later. */
  @Prop({ type: Date, default: null }) deletedAt!: Date | null;
  /** Whether its removal for good has begun: nothing brings it back any more. */
  @Prop({ type: Boolean, default: false }) purging!: boolean;
  createdAt!: Date;
  updatedAt!: Date;
}

export const SpaceSchema = SchemaFactory.createForClass(Space);
SpaceSchema.index({ organization: 1, deletedAt: 1, createdAt: -1, _id: -1 }); // list(), allVisible()
SpaceSchema.index({ organization: 1, parent: 1, order: 1, _id: 1 }); // inCollection(), places among siblings
SpaceSchema.index({ deletedAt: 1, _id: 1 }, { partialFilterExpression: { deletedAt: { $type: 'date' } } }); // overdue()
SpaceSchema.index({ indexing: 1, _id: 1 }, { partialFilterExpression: { indexing: true } }); // behindOnIndexing()
SpaceSchema.index({ organization: 1, 'users.subject': 1 }); // entries of who leaves the organization
SpaceSchema.index({ organization: 1, 'teams.subject': 1 }); // entries of a team, their number
