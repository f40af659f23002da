import { Injectable } from '@nestjs/common';
import { mapPage, type Page } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import type { Organization } from '../organizations/index.js';
import { type Audience, SpacePublications, SpacesService, type SpaceView, toSpace } from '../spaces/index.js';
import type { SitePermissions } from './site.policy.js';
import { publishedUrls } from './site-urls.js';
import { type SiteView, toSite } from './site.view.js';
import type { Site } from './site.schema.js';
import { type PlacedSiteSpace, siteSpacesOf } from './structure/structure.js';
import type { PartSurroundings } from './structure/structure.view.js';

/** Who is shown parts of which site. */
export interface SiteViewer {
  organization: Organization;
  /** As it is shown: its structure is what the answer is made of. */
  site: Site;
  permissions: SitePermissions;
  /** As whom the caller looks. */
  audience: Audience;
  /** The key of an active share link that the caller gave, or `null`. */
  shareKey: string | null;
  /** Whether the published site lets the caller read what is on it. */
  admitted: boolean;
}

/** What of sites answers show. */
@Injectable()
export class SiteAnswers {
  constructor(
    private readonly spaces: SpacesService,
    private readonly publications: SpacePublications,
    private readonly urls: Urls,
  ) {}

  /** A site of `organization`. No read. */
  site(site: Site, organization: Pick<Organization, 'hostname'>): SiteView {
    return toSite(site, { hostname: organization.hostname, urls: this.urls });
  }

  /** A page of the sites of `organization`. No read. */
  sites(page: Page<Site>, organization: Pick<Organization, 'hostname'>): Page<SiteView> {
    return mapPage(page, (site) => this.site(site, organization));
  }

  /**
   * What is needed to shape parts of a site for `viewer`: of the site-spaces in `parts`, all unless given, the spaces are
   * read. The number of queries does not depend on how many they are.
   */
  async around(viewer: SiteViewer, parts?: readonly PlacedSiteSpace[]): Promise<PartSurroundings> {
    const { site, organization, shareKey } = viewer;
    const placed = parts ?? siteSpacesOf(site.structure);
    return {
      site,
      published: publishedUrls(site, { urls: this.urls, hostname: organization.hostname, shareKey }),
      spaces: await this.shaped([...new Set(placed.map(({ siteSpace }) => siteSpace.space))], viewer),
    };
  }

  private async shaped(
    ids: readonly string[],
    { site, organization, audience, admitted }: SiteViewer,
  ): Promise<Map<string, SpaceView>> {
    if (ids.length === 0) return new Map();
    const listed = await this.spaces.listMany(site.organization, ids, audience.member);
    const published = await this.publications.of(
      listed.map(({ space }) => space),
      audience,
    );
    const shape = ({ space, ...own }: (typeof listed)[number]): SpaceView =>
      toSpace(space, { ...own, organization, urls: this.urls, publication: published.get(space._id), admitted });
    return new Map(listed.map((one) => [one.space._id, shape(one)]));
  }
}
