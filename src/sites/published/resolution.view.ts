/** Where an address of a published site leads, and the token that reads what is there. */
export class ResolvedContentView {
  /** Id of the organization. */
  organization!: string;
  /** Id of the site. */
  site!: string;
  /** Id of the section, on a site that has some. */
  siteSection?: string;
  /** Id of the site-space. */
  siteSpace!: string;
  /** Id of the space. */
  space!: string;
  /** Id of the revision that the address names, behind `~/revisions`. */
  revision?: string;
  /** Path of the page: what of the address follows `basePath`; empty at its root. */
  pathname!: string;
  /** Path under which the site-space is, without a slash at its end but for the root. */
  basePath!: string;
  /** Path under which the site is, the share key included. */
  siteBasePath!: string;
  /** Reads this site and its spaces until the end of the next full hour; the same until something published changes. */
  apiToken!: string;
  /** The share key of the address. */
  shareKey?: string;
  /** Whether nothing more of the site can follow, only the path of a page. */
  complete!: boolean;
  /** Stands for what is known of the visitor; the same for visitors who are shown the same. */
  contextId?: string;
  /** The address under which the same thing should be shown. */
  canonicalUrl!: string;
}

/** Somewhere else to go. */
export class ResolvedRedirectView {
  /** `content`: on the site. `external`: elsewhere, such as where visitors sign in. */
  target!: 'application' | 'content' | 'external';
  /** The address to go to. */
  redirect!: string;
}

/** What an address of a published site leads to. */
export type ResolutionView = ResolvedContentView | ResolvedRedirectView;
