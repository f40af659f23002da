import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { newId } from '../../common/ids.js';

/** Installations in one organization, at the most: a site asks all of them for scripts. */
export const MAX_INSTALLATIONS = 200;

/** What an installation is on: everything of the organization, or what somebody has chosen (decision 3.90). */
export const SELECTIONS = ['all', 'selected'] as const;
export type Selection = (typeof SELECTIONS)[number];

/** That an organization has an integration. */
@Schema({ collection: 'installations', timestamps: true, versionKey: false })
export class Installation {
  @Prop({ type: String, default: newId }) _id!: string;
  /** Name of the integration. */
  @Prop({ type: String, required: true }) integration!: string;
  @Prop({ type: String, required: true }) organization!: string;
  @Prop({ type: String, enum: SELECTIONS, default: 'selected' }) spaceSelection!: Selection;
  @Prop({ type: String, enum: SELECTIONS, default: 'selected' }) siteSelection!: Selection;
  /** How many spaces it was put on. */
  @Prop({ type: Number, default: 0 }) spaces!: number;
  /** What was set, as JSON, sealed with the key of the installation: it often holds keys of others. `null`: nothing. */
  @Prop({ type: String, default: null }) configuration!: string | null;
  @Prop({ type: [String], default: [] }) externalIds!: string[];
  /** Counts those who rely on it to stay while they write something else. */
  @Prop({ type: Number, default: 0 }) holds!: number;
  createdAt!: Date;
  updatedAt!: Date;
}

export const InstallationSchema = SchemaFactory.createForClass(Installation);
InstallationSchema.index({ integration: 1, organization: 1 }, { unique: true }); // one for each; listIn(), removal
InstallationSchema.index({ integration: 1, createdAt: -1, _id: -1 }); // list()
InstallationSchema.index({ integration: 1, externalIds: 1, createdAt: -1, _id: -1 }); // list() by external id
InstallationSchema.index({ organization: 1, createdAt: -1, _id: -1 }); // listOf(), their number
InstallationSchema.index({ organization: 1, siteSelection: 1 }); // onSite(): those on every site
