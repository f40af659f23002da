import type { Urls } from '../common/urls.js';
import type { Site } from './site.schema.js';
import { type PlacedSiteSpace, type Section, sectionSegments, siteSpaceSegments } from './structure/structure.js';

/** What addresses of a site are made of, beside the site. */
export interface Addresses {
  urls: Urls;
  /** Hostname of the organization, the first segment of addresses. */
  hostname: string;
  /** The secret of a share link that the caller gave and that is valid, or `null`. */
  shareKey?: string | null;
}

/** Where a site and its parts are published; `undefined`: nowhere, or the caller may not know (decision 3.6). */
export interface PublishedUrls {
  site: string | undefined;
  /** Where it is without its proxy. */
  target: string;
  /** Where it is for who has `key`, published or not. */
  withKey(key: string): string;
  section(section: Pick<Section, 'id' | 'path'>): string | undefined;
  siteSpace(placed: PlacedSiteSpace): string | undefined;
}

/** The published addresses of `site`. A site with share links shows its parts to those with a valid key only. */
export function publishedUrls(site: Site, { urls, hostname, shareKey = null }: Addresses): PublishedUrls {
  const target = urls.published(hostname, site.basename);
  const base = site.proxy === null ? target : `https://${site.proxy}`;
  const keyed = site.visibility === 'share-link';
  const key = keyed && shareKey !== null ? [shareKey] : [];
  const shown = site.published && (!keyed || shareKey !== null);
  const part = (segments: string[]): string | undefined =>
    shown ? [base, ...[...key, ...segments].map(encodeURIComponent)].join('/') : undefined;
  return {
    site: site.published ? base : undefined,
    target,
    withKey: (secret) => `${base}/${encodeURIComponent(secret)}`,
    section: (section) => part(sectionSegments(site.structure, section)),
    siteSpace: (placed) => part(siteSpaceSegments(site.structure, placed)),
  };
}
