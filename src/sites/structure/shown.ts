import type { Site } from '../site.schema.js';
import { withoutSpaces } from './site-spaces.js';
import type { SiteStructure } from './structure.js';

/** The structure of a site as it is shown: without what stands for spaces in the trash (decision 4.9). */
export function shownStructure({ structure, trashed }: Pick<Site, 'structure' | 'trashed'>): SiteStructure {
  return withoutSpaces(structure, new Set(trashed));
}
