import { BranchLinkReader } from './branch-links.js';
import { LinkIndex } from './link-index.js';
import { LinkKeeper } from './link-keeper.js';
import { Link, LinkSchema, LinkTargetRecord, LinkTargetSchema } from './link.schema.js';
import { LinkRecords } from './link-records.js';
import { LinksService } from './links.service.js';
import { OutsideTargets } from './outside-targets.js';
import { TargetStatuses } from './target-status.js';

export { isPath, splitAddress, withoutAnchor } from './addresses.js';
export { type KnownLinks, LinkIndex, type LinkPlan } from './link-index.js';
export { LinkRecords };
export { LinkKeeper } from './link-keeper.js';
export { linksAsRead } from './links-as-read.js';
export { type Meaning, type Meanings, readMeanings } from './meanings.js';
export { OutsideTargets };

/** The models of links, for `MongooseModule.forFeature`. */
export const linkModels = [
  { name: Link.name, schema: LinkSchema },
  { name: LinkTargetRecord.name, schema: LinkTargetSchema },
];

/** What keeps, indexes and lists links. */
export const linkProviders = [
  TargetStatuses,
  LinkIndex,
  LinkKeeper,
  LinkRecords,
  OutsideTargets,
  BranchLinkReader,
  LinksService,
];
