import type { MapDraft } from '../map-draft.js';
import type { Conflicts } from './conflicts.js';
import type { Decision, PageResolutions } from './decisions.js';
import type { Placements } from './placements.js';
import type { Sides } from './sides.js';

/** What a tree is put together from. */
export interface TreeParts {
  readonly sides: Sides;
  readonly placements: Placements;
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly resolutions: PageResolutions;
  readonly conflicts: Conflicts;
  /** Primary content, which is edited into the result. */
  readonly draft: MapDraft;
  /** ISO 8601: when the merge is made. */
  readonly now: string;
}
