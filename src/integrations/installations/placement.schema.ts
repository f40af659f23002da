import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../../common/ids.js';

/** What an installation can be put on. */
export const PLACE_KINDS = ['space', 'site'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** That an installation was put on a space or a site. */
@Schema({ collection: 'installation_placements', timestamps: true, versionKey: false })
export class Placement {
  @Prop({ type: String, default: newId }) _id!: string;
  @Prop({ type: String, required: true }) installation!: string;
  /** Name of the integration. */
  @Prop({ type: String, required: true }) integration!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: String, enum: PLACE_KINDS, required: true }) kind!: PlaceKind;
  /** Id of the space or site. */
  @Prop({ type: String, required: true }) place!: string;
  /** Whether it is a site that is published. */
  @Prop({ type: Boolean, default: false }) published!: boolean;
  /** What was set there, as JSON, sealed with the key of the installation; `null`: nothing. */
  @Prop({ type: String, default: null }) configuration!: string | null;
  @Prop({ type: [String], default: [] }) externalIds!: string[];
  createdAt!: Date;
  updatedAt!: Date;
}

export const PlacementSchema = SchemaFactory.createForClass(Placement);
PlacementSchema.index({ installation: 1, kind: 1, place: 1 }, { unique: true }); // one for each; its removal
PlacementSchema.index({ installation: 1, kind: 1, createdAt: -1, _id: -1 }); // list()
PlacementSchema.index({ place: 1, kind: 1 }); // what is on a space or a site
PlacementSchema.index({ integration: 1, organization: 1 }); // removal with the integration
PlacementSchema.index({ integration: 1, kind: 1, published: 1 }); // isOnPublishedSite()
