import { Injectable, NotFoundException } from '@nestjs/common';
import { Answers } from '../../common/answers.js';
import { Urls } from '../../common/urls.js';
import { SpacesService, type VisibleSpace } from '../../spaces/index.js';
import { CustomizationService } from '../customization/customization.service.js';
import { forVisitor } from '../customization/for-visitor.js';
import { toRedirect } from '../redirects/redirect.view.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { SiteScripts } from '../questions.js';
import { SiteAnswers } from '../site.answers.js';
import type { SiteAccess } from '../site.guard.js';
import { publishedUrls } from '../site-urls.js';
import { siteSpacesOf } from '../structure/structure.js';
import { toSiteStructure } from '../structure/structure.view.js';
import { below } from './address.js';
import type { PublishedSiteView, ResolvedSiteRedirectView } from './published-site.view.js';
import { claimsFor, siteFor } from './visible-site.js';

/** Sites as their visitors, and whoever renders pages for them, are shown them. */
@Injectable()
export class PublishedSitesService {
  private readonly scripts: () => SiteScripts;

  constructor(
    private readonly siteAnswers: SiteAnswers,
    private readonly customizations: CustomizationService,
    private readonly redirects: RedirectsService,
    private readonly spaces: SpacesService,
    private readonly urls: Urls,
    answers: Answers,
  ) {
    this.scripts = answers.ask(SiteScripts, { of: () => Promise.resolve([]) });
  }

  /**
   * The site with its structure and customization (decisions 3.15 to 3.18). Who reads it as a visitor is shown what the
   * conditions let them see. The number of queries does not grow with the site.
   */
  async published(access: SiteAccess): Promise<PublishedSiteView> {
    const site = siteFor(access);
    const { site: own, siteSpaces } = await this.customizations.all(site);
    const claims = claimsFor(access);
    const there = siteSpacesOf(site.structure).map(({ siteSpace }) => siteSpace.id);
    const overrides = there.flatMap((id) => {
      const settings = siteSpaces.get(id);
      return settings ? [[id, forVisitor(settings, claims)] as const] : [];
    });
    return {
      object: 'published-content-site',
      site: this.siteAnswers.site(access.site, access.organization),
      structure: toSiteStructure(await this.siteAnswers.around({ ...access, site })),
      customizations: { site: forVisitor(own, claims), siteSpaces: Object.fromEntries(overrides) },
      scripts: await this.scripts().of(site),
    };
  }

  /**
   * Those of the spaces `ids`, which are on the site, that the caller may read: where it is not published, by a role in them
   * alone. `unconditional`: what stands under conditions is to be kept back, as in each of them where the site alone lets the
   * caller read one.
   */
  async readable(
    access: SiteAccess,
    ids: readonly string[],
  ): Promise<{ spaces: VisibleSpace[]; unconditional: boolean }> {
    const { site, member, audience } = access;
    if (audience.visitor) {
      return { spaces: await this.spaces.contentOf(ids), unconditional: claimsFor(access) !== null };
    }
    const listed = await this.spaces.listMany(site.organization, ids, member);
    const read = listed.filter(({ role }) => role !== null || site.published);
    return { spaces: read.map(({ space }) => space), unconditional: read.some(({ role }) => role === null) };
  }

  /**
   * Where `source`, a path below the base of the site, leads.
   * @throws NotFoundException where there is no redirect, and on a site that is not published.
   */
  async redirect(access: SiteAccess, source: string): Promise<ResolvedSiteRedirectView> {
    const site = siteFor(access);
    const { hostname } = access.organization;
    const { site: base } = publishedUrls(site, { urls: this.urls, hostname });
    const found = base === undefined ? null : await this.redirects.find(site, source);
    if (base === undefined || !found) throw new NotFoundException('Redirect not found');
    const key = access.shareKey === null ? [] : [access.shareKey];
    return { redirect: toRedirect(found.redirect), target: below(base, [...key, ...found.segments]) };
  }
}
