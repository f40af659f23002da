import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import { publishedUrls } from './site-urls.js';
import type { Site, SiteVisibility } from './site.schema.js';
import { shownStructure } from './structure/shown.js';
import { hasSections, sectionsOf, siteSpacesOf } from './structure/structure.js';

/** Addresses of a site. */
export class SiteUrls {
  /** The site in this API. */
  location!: string;
  /** The site in the application. */
  app!: string;
  /** Where it is published; left out while it is not. */
  published?: string;
}

/** Another server under which a site is shown. */
export class SiteProxyView {
  /** Host and path there, as they were written. */
  origin!: string;
  /** Where the site is without it. */
  target!: string;
}

/** Whether conditions and claims of visitors decide what a site shows. */
export class SiteAdaptiveContentView {
  enabled!: boolean;
}

/** What became of the advertising on a sponsored site: nothing, here. */
export class SiteAdsView {
  status!: 'pending';
  submittable!: boolean;
}

/** Pictures of a site, by theme. */
export class SiteIconImagesView {
  light!: string;
  dark!: string;
}

/** What stands for a site: images, or an emoji. */
export class SiteIconView {
  icon?: SiteIconImagesView;
  emoji?: string;
}

/** Something that a site makes use of. */
export class SiteFeatureView {
  id!: string;
  /** Type of the site. */
  plan!: 'basic' | 'premium' | 'ultimate' | 'sponsored' | 'legacy-basic' | 'legacy-premium';
  /** Always false: nothing is gated here. */
  frozen!: boolean;
}

/** A published documentation site, as the API returns it. */
export class SiteView {
  object!: 'site';
  id!: string;
  type!: 'basic' | 'premium' | 'ultimate' | 'sponsored' | 'legacy-basic' | 'legacy-premium';
  title!: string;
  /** The favicon of its customization; `null`: none. */
  icon!: SiteIconView | null;
  /** Its segment in addresses. */
  basename!: string;
  proxy?: SiteProxyView;
  /** Whom it admits while it is published. */
  visibility!: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
  published!: boolean;
  /** How many site-spaces it has, those in sections included. */
  siteSpaces!: number;
  /** ISO 8601, UTC. */
  createdAt!: string;
  adaptiveContent!: SiteAdaptiveContentView;
  /** On sponsored sites. */
  ads?: SiteAdsView;
  features!: SiteFeatureView[];
  urls!: SiteUrls;
}

export class SitePage extends PageOf(SiteView) {}

const BY_VISIBILITY: Record<SiteVisibility, string> = {
  public: 'sites-public-visibility',
  unlisted: 'sites-unlisted-visibility',
  'share-link': 'sites-share-links',
  'visitor-auth': 'sites-visitor-authentication',
};

/** Ids of the features that `site` makes use of (decision 3.11). */
export function featuresOf(site: Site): string[] {
  const structure = shownStructure(site);
  const containers = [structure, ...sectionsOf(structure).map(({ section }) => section)];
  const used: Record<string, boolean> = {
    'sites-sections': hasSections(structure),
    'sites-multivariant-site': containers.some(({ siteSpaces }) => siteSpaces.length > 1),
    [BY_VISIBILITY[site.visibility]]: true,
    'sites-adaptive-content': site.adaptiveContent,
    'sites-custom-subdirectory': site.proxy !== null,
    'sites-redirects': site.redirects > 0,
    'sites-advanced-customization': site.customized.length > 0,
  };
  return Object.keys(used).filter((id) => used[id]);
}

/** Shapes `site`; `hostname` is that of its organization. */
export function toSite(site: Site, { hostname, urls }: { hostname: string; urls: Urls }): SiteView {
  const { site: published, target } = publishedUrls(site, { hostname, urls });
  return {
    object: 'site',
    id: site._id,
    type: site.type,
    title: site.title,
    icon: site.icon,
    basename: site.basename,
    ...(site.proxy !== null && { proxy: { origin: site.proxy, target } }),
    visibility: site.visibility,
    published: site.published,
    siteSpaces: siteSpacesOf(shownStructure(site)).length,
    createdAt: site.createdAt.toISOString(),
    adaptiveContent: { enabled: site.adaptiveContent },
    ...(site.type === 'sponsored' && { ads: { status: 'pending' as const, submittable: false } }),
    features: featuresOf(site).map((id) => ({ id, plan: site.type, frozen: false })),
    urls: {
      location: urls.api('orgs', site.organization, 'sites', site._id),
      app: urls.app('o', site.organization, 'sites', site._id),
      ...(published !== undefined && { published }),
    },
  };
}
