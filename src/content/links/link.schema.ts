import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { ContentRef } from '../../revisions/index.js';

/** Statuses as the API has them (decision 3.75). */
export const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];
/** `outside`: it depends on what is not of this space, and on who asks, so it is found out when it is read. */
export const TARGET_STATUSES = [...LINK_STATUSES, 'outside'] as const;
export type TargetStatus = (typeof TARGET_STATUSES)[number];

/** One place of a page at which it leads to a resource. */
export interface LinkUse {
  /** Anchor in the resource; empty: the resource itself. */
  to: string;
  /** Anchor of the heading that the place lies under; empty: before the first, or in no text at all. */
  under: string;
  /** Whether the page needs what it leads to: an image, an embedded file, a specification (decision 3.74). */
  needs: boolean;
}

/** That a page of primary content leads to a resource: one record for both, however often it does. */
@Schema({ collection: 'links', versionKey: false })
export class Link {
  /** Space, page and resource, joined with spaces. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  @Prop({ type: String, required: true }) page!: string;
  /** Key of what it leads to, without anchors: as `resourceOf` makes it. */
  @Prop({ type: String, required: true }) resource!: string;
  /** In the order of the text, each once. */
  @Prop({ type: [Object], required: true }) uses!: LinkUse[];
  /**
   * Only where an address is read by its words: what must come, go or move for it to mean something else, as
   * `waitOf…` spells it. Empty for words that lead nowhere unless the page itself moves.
   */
  @Prop({ type: [String], default: undefined }) waits?: string[];
}

export const LinkSchema = SchemaFactory.createForClass(Link);
LinkSchema.index({ space: 1, resource: 1, page: 1 }); // backlinks, locations of targets, pages that lose a target
LinkSchema.index({ space: 1, page: 1, resource: 1 }); // links of a page, replacing them
LinkSchema.index({ space: 1, waits: 1 }, { partialFilterExpression: { waits: { $exists: true } } }); // waiting()

/** What pages of a space lead to: one record for each target, an anchor being a target of its own. */
@Schema({ collection: 'link_targets', versionKey: false })
export class LinkTargetRecord {
  /** Space and key, joined with a space. */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: String, required: true }) space!: string;
  /** The resource, and the anchor behind a `#`. */
  @Prop({ type: String, required: true }) key!: string;
  @Prop({ type: String, required: true }) resource!: string;
  /** What it is; a URL that is a path is an address that leads nowhere. */
  @Prop({ type: Object, required: true }) ref!: ContentRef;
  @Prop({ type: String, enum: TARGET_STATUSES, required: true }) status!: TargetStatus;
  /** How many pages lead to it, and how many of them need it. */
  @Prop({ type: Number, default: 0 }) pages!: number;
  @Prop({ type: Number, default: 0 }) needing!: number;
}

export const LinkTargetSchema = SchemaFactory.createForClass(LinkTargetRecord);
LinkTargetSchema.index({ space: 1, key: 1 }); // lists of targets, by key
LinkTargetSchema.index({ space: 1, status: 1, key: 1 }); // the same of one status, counts by status
LinkTargetSchema.index({ space: 1, resource: 1 }); // targets whose status may have changed
