import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../common/ids.js';
import { DEFAULT_LEVELS, type DefaultLevel, type Grant, GrantSchema } from './grant.schema.js';

/** Collections of one organization, at the most: what a member sees is worked out from all of them. */
export const MAX_COLLECTIONS = 1000;
/** How deep collections may stand in each other (decision B.4). */
export const MAX_NESTING = 10;

/** A container of spaces and further collections. */
@Schema({ collection: 'collections', timestamps: true, versionKey: false })
export class Collection {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) organization!: string;
  /** The collection it stands in, or `null` at the root. */
  @Prop({ type: String, default: null }) parent!: string | null;
  /** All collections above it, the highest first: so that their levels are read with one query. */
  @Prop({ type: [String], default: [] }) path!: string[];
  /** Where it stands among the spaces and collections with the same parent: they are sorted by it. */
  @Prop({ type: String, required: true }) order!: string;
  @Prop({ type: String, required: true }) title!: string;
  /** `null`: none. */
  @Prop({ type: String, default: null }) description!: string | null;
  /** What members may do in it and below without an entry of their own. */
  @Prop({ type: String, enum: DEFAULT_LEVELS, default: 'inherit' }) defaultLevel!: DefaultLevel;
  /** Entries of people. */
  @Prop({ type: [GrantSchema], default: [] }) users!: Grant[];
  /** Entries of teams. */
  @Prop({ type: [GrantSchema], default: [] }) teams!: Grant[];
  /** Raised by each change of the settings; the entity tag. */
  @Prop({ type: Number, default: 1 }) version!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const CollectionSchema = SchemaFactory.createForClass(Collection);
CollectionSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // list(), levels(), their number
CollectionSchema.index({ organization: 1, parent: 1, order: 1, _id: 1 }); // places among siblings
CollectionSchema.index({ path: 1 }); // what stands below a collection
CollectionSchema.index({ organization: 1, 'users.subject': 1 }); // entries of who leaves the organization
CollectionSchema.index({ organization: 1, 'teams.subject': 1 }); // entries of a team

/** What every change of the places in an organization touches, so that two at once notice each other. */
@Schema({ collection: 'structures', versionKey: false })
export class Structure {
  /** Id of the organization. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: Number, default: 0 }) changes!: number;
}

export const StructureSchema = SchemaFactory.createForClass(Structure);
