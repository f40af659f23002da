import { NO_CLAIMS } from '../../conditions/index.js';
import type { Claims } from '../adaptive/index.js';
import type { SiteViewer } from '../site.answers.js';
import type { Site } from '../site.schema.js';
import { shownStructure } from '../structure/shown.js';
import { spacesOf, type SiteStructure } from '../structure/structure.js';
import { visibleStructure } from './visible.js';

/** What of `site` a visitor with `claims` is shown; all of it while its adaptive content is switched off. */
export function structureFor(site: Site, claims: Claims): SiteStructure {
  const structure = shownStructure(site);
  return site.adaptiveContent ? visibleStructure(structure, claims) : structure;
}

/** Whether a visitor with `claims` is shown `space` somewhere on `site`. */
export function showsSpace(site: Site, space: string, claims: Claims): boolean {
  return site.spaces.includes(space) && spacesOf(structureFor(site, claims)).includes(space);
}

/** Who looks at a site, as far as it decides what of it they are shown. */
export type Looking = Pick<SiteViewer, 'site' | 'audience' | 'permissions'>;

/** What conditions read of who looks; `null`: they are not applied, as for those who see the site anyway (decision 3.20). */
export function claimsFor({ site, audience: { visitor }, permissions }: Looking): Claims | null {
  if (!site.adaptiveContent || permissions.view) return null;
  // its claims were those of claimsOf() when the token was signed
  return visitor?.claims ? (visitor.claims as Claims) : NO_CLAIMS;
}

/** The site with the structure that who looks is shown. */
export function siteFor(looking: Looking): Site {
  const { site } = looking;
  const claims = claimsFor(looking);
  return { ...site, structure: claims ? structureFor(site, claims) : shownStructure(site), trashed: [] };
}
