import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Answers } from '../../common/answers.js';
import { batchesOf } from '../../common/batches-of.js';
import { Urls } from '../../common/urls.js';
import { NO_CLAIMS } from '../../conditions/index.js';
import { type Member, OrganizationsService } from '../../organizations/index.js';
import { type Audience, type Publication, Publications, type Space, SpacesService } from '../../spaces/index.js';
import type { Claims } from '../adaptive/index.js';
import { ShareLinksService } from '../share-links/share-links.service.js';
import { audienceAdmits, seesEverySite } from '../site.policy.js';
import { type Site, SITE_VISIBILITIES } from '../site.schema.js';
import { publishedUrls } from '../site-urls.js';
import { type SiteOutline, SitesService } from '../sites.service.js';
import { shownStructure } from '../structure/shown.js';
import { siteSpacesOf } from '../structure/structure.js';
import { VisitorAuthService } from '../visitor-auth/visitor-auth.service.js';
import { showsSpace } from './visible-site.js';

/** Sites that are looked through at a time for one that shows a space. */
const BATCH = 10;

/** Says how published sites show spaces, and to whom. */
@Injectable()
export class PublicationsService implements Publications, OnModuleInit {
  constructor(
    private readonly sites: SitesService,
    private readonly shareLinks: ShareLinksService,
    private readonly visitorAuth: VisitorAuthService,
    private readonly organizations: OrganizationsService,
    private readonly spaces: SpacesService,
    private readonly urls: Urls,
    private readonly answers: Answers,
  ) {}

  /** Answers what spaces ask. */
  onModuleInit(): void {
    this.answers.give(Publications, this);
  }

  /**
   * Those of the spaces `ids` that a published site carries. Five reads at most, and one for each organization; of many sites that
   * carry a space, those are read that its publication follows from.
   */
  async of(ids: readonly string[], audience: Audience): Promise<Map<string, Publication>> {
    const carrying = inOrderFor(audience, await this.sites.bySpaces(ids));
    const keys = await this.keys(carrying, audience);
    const telling = tellingOf(carrying, ids, keys);
    const sites = await this.sites.whole(telling);
    const asking = sites.filter(({ visibility }) => visibility === 'visitor-auth');
    const backends = await this.visitorAuth.backendsOf(asking.map(({ _id }) => _id));
    const wanted = new Set(ids);
    const found = new Map<string, Publication>();
    for (const site of sites) {
      const { hostname } = await this.organizations.settings(site.organization);
      const shown = { ...site, structure: shownStructure(site) };
      const published = publishedUrls(shown, { urls: this.urls, hostname, shareKey: keys.get(site._id) ?? null });
      const seen = new Set<string>();
      for (const placed of siteSpacesOf(shown.structure)) {
        const { space } = placed.siteSpace;
        if (!wanted.has(space) || seen.has(space)) continue;
        seen.add(space);
        const own = { site, url: published.siteSpace(placed), visitorAuth: backends.get(site._id) };
        found.set(space, widened(found.get(space), own));
      }
    }
    return found;
  }

  /** Whether a published site that carries `space` lets `audience` read it. */
  async admits(
    { _id: space, organization }: Pick<Space, '_id' | 'organization'>,
    audience: Audience,
  ): Promise<boolean> {
    const { visitor, member } = audience;
    if (visitor) {
      const site = visitor.organization === organization ? await this.sites.findById(visitor.site) : null;
      // its claims were those of claimsOf() when the token was signed
      return site !== null && showsSpace(site, space, (visitor.claims ?? NO_CLAIMS) as Claims);
    }
    const sites = (await this.sites.bySpaces([space])).filter(({ trashed }) => !trashed.includes(space));
    if (sites.length === 0) return false;
    if (seesEverySite(member) || (await this.isOnOneOf(sites, member))) return true;
    const keys = await this.keys(sites, audience);
    const open = sites.filter((site) => audienceAdmits(site, { shareKey: keys.has(site._id) }));
    for (const batch of batchesOf(open, BATCH)) {
      if ((await this.sites.whole(batch)).some((site) => showsSpace(site, space, NO_CLAIMS))) return true;
    }
    return false;
  }

  /** Whether `member` has an effective role in a space of one of `sites`, and so sees that site. */
  private async isOnOneOf(sites: readonly SiteOutline[], member: Member | null): Promise<boolean> {
    if (!member) return false;
    const ids = sites
      .filter(({ organization }) => organization === member.organization)
      .flatMap(({ spaces }) => spaces);
    return (await this.spaces.visibleAmong(member.organization, [...new Set(ids)], member)).length > 0;
  }

  /** The share key that `audience` has for each of `sites`, by site. */
  private async keys(sites: readonly SiteOutline[], { visitor, shareKey }: Audience): Promise<Map<string, string>> {
    const keyed = sites.filter(({ visibility }) => visibility === 'share-link').map(({ _id }) => _id);
    if (visitor) {
      const own = visitor.shareLink !== undefined && keyed.includes(visitor.site);
      const key = own ? await this.shareLinks.activeKey(visitor.site, visitor.shareLink ?? '') : null;
      return new Map(key === null ? [] : [[visitor.site, key]]);
    }
    if (shareKey === undefined) return new Map();
    return new Map([...(await this.shareLinks.acceptedAmong(keyed, shareKey))].map((site) => [site, shareKey]));
  }
}

/** `sites` with the one first that a visitor reads: its addresses are what they are shown. */
function inOrderFor({ visitor }: Audience, sites: readonly SiteOutline[]): SiteOutline[] {
  return [...sites.filter(({ _id }) => _id === visitor?.site), ...sites.filter(({ _id }) => _id !== visitor?.site)];
}

/**
 * Those of `sites`, in their order, that the publication of one of the spaces `ids` follows from: for each audience the first that
 * carries it, and those that the caller has the key of.
 */
function tellingOf(
  sites: readonly SiteOutline[],
  ids: readonly string[],
  keys: ReadonlyMap<string, string>,
): SiteOutline[] {
  const wanted = new Set(ids);
  const told = new Set<string>();
  return sites.filter(({ _id, visibility, spaces }) => {
    const news = spaces.filter((space) => wanted.has(space)).map((space) => `${space} ${visibility}`);
    const tells = keys.has(_id) || news.some((one) => !told.has(one));
    for (const one of news) told.add(one);
    return tells;
  });
}

/** What a space is published as, once `site` is known to show it too. */
function widened(
  known: Publication | undefined,
  { site, url, visitorAuth }: { site: Site; url: string | undefined; visitorAuth: Publication['visitorAuth'] },
): Publication {
  const { visibility } = site;
  const isWider = !known || SITE_VISIBILITIES.indexOf(visibility) < SITE_VISIBILITIES.indexOf(known.visibility);
  return {
    ...known,
    visibility: isWider ? visibility : known.visibility,
    ...(known?.published === undefined && url !== undefined && { published: url }),
    ...(known?.public === undefined && visibility === 'public' && url !== undefined && { public: url }),
    ...(known?.visitorAuth === undefined && visitorAuth && { visitorAuth }),
  };
}
