import { atLeast } from '../common/roles.js';
import { type Member, organizationPermissions } from '../organizations/index.js';
import type { Site } from './site.schema.js';

/** What the caller may do with a site (decision 2). */
export class SitePermissions {
  /** See it and its parts, published or not. */
  view!: boolean;
  /** Change everything about it: settings, structure, publication, share links. */
  manage!: boolean;
  /** Read it as it is published. */
  published!: boolean;
}

/**
 * What a caller may do with a site of the organization that `member` is a membership in (`null`: a stranger).
 *
 * @param onSpace Whether the caller has an effective role in one of its spaces.
 * @param admitted Whether the site is published and admits the caller.
 */
export function sitePermissions(
  member: Member | null,
  { onSpace, admitted }: { onSpace: boolean; admitted: boolean },
): SitePermissions {
  const active = member !== null && !member.disabled;
  const view = active && (atLeast(member.role, 'read') || onSpace);
  return { view, manage: organizationPermissions(member).createContent, published: view || admitted };
}

/** Whether a member sees every site of the organization, whatever is on it. */
export function seesEverySite(member: Member | null): boolean {
  return sitePermissions(member, { onSpace: false, admitted: false }).view;
}

/**
 * Whether a published site admits a caller who is no member: by its visibility alone, or by the active share link that the
 * caller has the key of (decision 3.5). Visitors who signed in are another matter: they come with a token of the site.
 */
export function audienceAdmits(
  { published, visibility }: Pick<Site, 'published' | 'visibility'>,
  { shareKey }: { shareKey: boolean },
): boolean {
  if (!published) return false;
  return visibility === 'public' || visibility === 'unlisted' || (visibility === 'share-link' && shareKey);
}
