import { Injectable, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { Urls } from '../../common/urls.js';
import { NO_CLAIMS } from '../../conditions/index.js';
import { SecretKey } from '../../config/index.js';
import { OrganizationsService } from '../../organizations/index.js';
import { isDraft, RevisionsService } from '../../revisions/index.js';
import { SpacesService, type VisibleSpace } from '../../spaces/index.js';
import { type Claims, claimsOf, stateHash } from '../adaptive/index.js';
import { RedirectsService } from '../redirects/redirects.service.js';
import { AdaptiveSchemasService } from '../schema/adaptive-schemas.service.js';
import { ShareLinksService } from '../share-links/share-links.service.js';
import type { Site } from '../site.schema.js';
import { publishedUrls } from '../site-urls.js';
import { SitesService } from '../sites.service.js';
import { shownStructure } from '../structure/shown.js';
import { spacesOf } from '../structure/structure.js';
import { issueSiteToken, publishedState } from '../visitor-tokens/index.js';
import { VisitorAuthService } from '../visitor-auth/visitor-auth.service.js';
import { below, candidatesOf, pathOf } from './address.js';
import { placeOf, type PlaceOnSite } from './place.js';
import type { ResolutionView, ResolvedRedirectView } from './resolution.view.js';
import { structureFor } from './visible-site.js';

/** An address, and what whoever asks brings along. */
export interface Asked {
  url: string;
  /** Whether to send those elsewhere whose token is no good. */
  redirectOnError?: boolean;
  /** A token that the application of the site has signed. */
  jwtToken?: string;
  unsignedClaims?: object;
}

/** A site that an address names, and what follows. */
interface Found {
  site: Site;
  /** The name of the organization as the address has it, where it is not the present one. */
  formerName: boolean;
  segments: string[];
}

/** Who asks for a place on a site. */
interface Admitted {
  claims: Claims;
  /** What follows the base of the site, and the share key. */
  segments: string[];
  shareLink?: string;
  shareKey?: string;
  visitorKey?: string;
}

/** A place on a site that somebody may read. */
interface Resolved {
  /** With the structure that they are shown. */
  site: Site;
  /** The address of the site, with the share key. */
  base: string;
  place: PlaceOnSite;
  admitted: Admitted;
  /** The spaces of that structure. */
  spaces: readonly VisibleSpace[];
}

const NOTHING = 'No published content is at this address';

/** Finds what an address of a published site leads to (decision B.10). The number of queries does not grow with the site. */
@Injectable()
export class ResolverService {
  constructor(
    private readonly sites: SitesService,
    private readonly shareLinks: ShareLinksService,
    private readonly visitorAuth: VisitorAuthService,
    private readonly schemas: AdaptiveSchemasService,
    private readonly redirects: RedirectsService,
    private readonly organizations: OrganizationsService,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly key: SecretKey,
    private readonly urls: Urls,
  ) {}

  /**
   * What the address leads to.
   * @throws NotFoundException for an address without published content, and one of a share link that admits nobody;
   * UnauthorizedException where visitors sign in, and this one has not.
   */
  async resolve(asked: Asked): Promise<ResolutionView> {
    const found = await this.find(asked.url);
    if (!found?.site.published) throw new NotFoundException(NOTHING);
    const admitted = await this.admit(found, asked);
    if ('redirect' in admitted) return admitted;
    const site = { ...found.site, structure: structureFor(found.site, admitted.claims) };
    const { hostname } = await this.organizations.settings(site.organization);
    const base = baseOf(publishedUrls(site, { urls: this.urls, hostname }).site ?? '', admitted);
    const place = placeOf(site.structure, shownStructure(found.site), admitted.segments);
    if (!place) throw new NotFoundException(NOTHING);
    const spaces = await this.spaces.contentOf(spacesOf(site.structure));
    const elsewhere = await this.elsewhere(site, place, spaces);
    if (elsewhere) return { target: 'content', redirect: below(base, elsewhere) };
    if (place.former || found.formerName) {
      return { target: 'content', redirect: below(base, [...place.base, ...place.rest]) };
    }
    return this.content({ site, base, place, admitted, spaces });
  }

  /** The site that `url` names; the longest base goes first. Two reads at most. */
  private async find(url: string): Promise<Found | null> {
    const candidates = candidatesOf(url, this.urls.published());
    if (!candidates) return null;
    const proxied = new Map(
      (await this.sites.findByProxies(candidates.proxies.map(({ key }) => key))).map((site) => [site.proxyKey, site]),
    );
    for (const { key, segments } of candidates.proxies) {
      const site = proxied.get(key);
      if (site) return { site, formerName: false, segments };
    }
    const { own } = candidates;
    if (!own) return null;
    const name = own.organization.toLowerCase();
    const organization = (await this.organizations.holderOf(name)) ?? own.organization;
    const site = await this.sites.findByBasename(organization, own.basename.toLowerCase());
    if (!site) return null;
    const { hostname } = await this.organizations.settings(site.organization);
    return { site, formerName: name !== hostname && organization !== own.organization, segments: own.segments };
  }

  /** Who asks, as the audience of the site has it; or where they have to go first. */
  private async admit({ site, segments }: Found, asked: Asked): Promise<Admitted | ResolvedRedirectView> {
    const [key, ...rest] = segments;
    const link =
      site.visibility === 'share-link' && key !== undefined ? await this.shareLinks.accepted(site._id, key) : null;
    if (site.visibility === 'share-link' && !link) throw new NotFoundException(NOTHING);
    const signed = await this.signedClaims(site, asked);
    if (site.visibility === 'visitor-auth' && signed === null) return this.signIn(site, segments, asked);
    const claims = site.adaptiveContent
      ? claimsOf(await this.schemas.find(site), signed?.claims, asked.unsignedClaims)
      : NO_CLAIMS;
    return {
      claims,
      segments: link ? rest : segments,
      ...(link && { shareLink: link._id, shareKey: key }),
      ...(signed && { visitorKey: signed.key }),
    };
  }

  /** What the visitor's token says; `null`: there is none, or it is no good. Where nothing depends on it, it is not read. */
  private async signedClaims(
    site: Site,
    { jwtToken }: Asked,
  ): Promise<{ claims: Record<string, unknown>; key: string } | null> {
    const counts = site.adaptiveContent || site.visibility === 'visitor-auth';
    if (!counts || jwtToken === undefined) return null;
    const result = await this.visitorAuth.verify(site, jwtToken);
    return result.valid ? { claims: result.claims, key: result.key } : null;
  }

  private async signIn(site: Site, segments: string[], { redirectOnError }: Asked): Promise<ResolvedRedirectView> {
    const fallback = redirectOnError === true ? await this.visitorAuth.fallbackURL(site) : null;
    if (fallback === null) {
      throw new UnauthorizedException(
        'Visitors of this site sign in: send the token that they get there as visitor.jwtToken',
      );
    }
    const redirect = new URL(fallback);
    // encoded: a slash within a segment would begin another address there
    redirect.searchParams.set('location', segments.map(encodeURIComponent).join('/'));
    return { target: 'external', redirect: redirect.href };
  }

  /** The segments that a redirect that people made leads to from a place where there is no page; `null`: it leads nowhere else. */
  private async elsewhere(
    site: Site,
    { siteSpace, base, rest }: PlaceOnSite,
    spaces: readonly VisibleSpace[],
  ): Promise<readonly string[] | null> {
    const space = spaces.find(({ _id }) => _id === siteSpace.space);
    if (!space || rest.length === 0 || rest[0]?.startsWith('~')) return null;
    const tree = this.revisions.tree(await this.revisions.get(space.revision));
    if (await tree.findPageByPath(rest.join('/'))) return null;
    const source = `/${[...base, ...rest].map(encodeURIComponent).join('/')}`;
    return (await this.redirects.findWritten(site, source))?.segments ?? null;
  }

  private async content({ site, base, place, admitted, spaces }: Resolved): Promise<ResolutionView> {
    const { section, siteSpace, rest } = place;
    const { revision, pathname } = await this.revisionAt(siteSpace.space, rest);
    const revisions = spaces.map((space) => ({ space: space._id, revision: space.revision }));
    const { claims, shareLink, shareKey, visitorKey } = admitted;
    const apiToken = issueSiteToken(this.key, {
      organization: site.organization,
      site: site._id,
      siteSpace: siteSpace.id,
      space: siteSpace.space,
      spaces: spacesOf(site.structure),
      state: publishedState(site.version, revisions),
      claims,
      shareLink,
      visitorKey,
    });
    const own = below(base, place.base);
    return {
      organization: site.organization,
      site: site._id,
      ...(section && { siteSection: section.id }),
      siteSpace: siteSpace.id,
      space: siteSpace.space,
      ...(revision !== undefined && { revision }),
      pathname: pathname.map(encodeURIComponent).join('/'),
      basePath: pathOf(own),
      siteBasePath: pathOf(base),
      apiToken,
      ...(shareKey !== undefined && { shareKey }),
      complete: place.complete,
      ...(site.adaptiveContent && { contextId: stateHash(claims) }),
      canonicalUrl: below(base, [...place.base, ...rest]),
    };
  }

  /**
   * The revision that a path names, `~/revisions/{id}/…`, and the path of the page in it.
   * @throws NotFoundException for one that is not, and never was, what `space` showed, and for change requests.
   */
  private async revisionAt(
    space: string,
    rest: readonly string[],
  ): Promise<{ revision?: string; pathname: readonly string[] }> {
    const [mark, kind, id, ...pathname] = rest;
    if (mark !== '~' || (kind !== 'revisions' && kind !== 'changes')) return { pathname: rest };
    const revision = kind === 'revisions' && id !== undefined ? await this.revisions.find(id) : null;
    if (revision?.space !== space || isDraft(revision)) throw new NotFoundException(NOTHING);
    return { revision: revision._id, pathname };
  }
}

/** The address of a site for who was admitted: with the share key that they came by. */
function baseOf(site: string, { shareKey }: Admitted): string {
  return shareKey === undefined ? site : below(site, [shareKey]);
}
