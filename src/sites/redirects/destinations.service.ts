import { BadRequestException, Injectable } from '@nestjs/common';
import { FormerPages } from '../../content/index.js';
import { type ContentTree, RevisionsService } from '../../revisions/index.js';
import { SpacesService } from '../../spaces/index.js';
import type { Site } from '../site.schema.js';
import { findSection, findSiteSpace, sectionSegments, siteSpaceSegments } from '../structure/structure.js';
import type { Lead } from './former-paths.js';
import { FormerPaths } from './former-paths.service.js';
import type { RedirectDestination } from './redirect.schema.js';

/** A site, with the structure that counts. */
export type SiteShown = Pick<Site, '_id' | 'structure'>;

/** Where something is now: a destination, and the segments of its address below the base of the site. */
export interface Located {
  destination: RedirectDestination;
  segments: string[];
}

/** Finds where redirects lead. */
@Injectable()
export class Destinations {
  constructor(
    private readonly formerPaths: FormerPaths,
    private readonly formerPages: FormerPages,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
  ) {}

  /** @throws BadRequestException for a destination that `site` does not have (decision 1.23). */
  async check(site: SiteShown, destination: RedirectDestination): Promise<void> {
    if (await this.segments(site, destination)) return;
    const { structure } = site;
    if (destination.kind === 'site-section')
      throw new BadRequestException('destination.siteSectionId must be the id of a section of this site');
    if (destination.kind === 'site-space' || !findSiteSpace(structure, destination.siteSpaceId))
      throw new BadRequestException('destination.siteSpaceId must be the id of a site-space of this site');
    throw new BadRequestException('destination.pageId must be the id of a page of that site-space');
  }

  /** The address of `destination` below the base of `site`; `null` where it is not there. */
  async segments({ structure }: SiteShown, destination: RedirectDestination): Promise<string[] | null> {
    if (destination.kind === 'site-section') {
      const found = findSection(structure, destination.siteSectionId);
      return found ? sectionSegments(structure, found.section) : null;
    }
    const placed = findSiteSpace(structure, destination.siteSpaceId);
    if (!placed) return null;
    const base = siteSpaceSegments(structure, placed);
    if (destination.kind === 'site-space') return base;
    const tree = (await this.trees([placed.siteSpace.space])).get(placed.siteSpace.space);
    const page = (await tree?.findPlaced([destination.pageId]))?.get(destination.pageId);
    return page?.path ? [...base, ...page.path.split('/')] : null;
  }

  /**
   * What is now at, or once was at, the address with these `segments` below the base of `site`; `null`: nothing. The number of
   * queries grows with the depth of the address alone.
   */
  async formerly(site: SiteShown, segments: readonly string[]): Promise<Located | null> {
    // paths of sites and of pages are in lower case, and addresses are read without regard to it
    const names = segments.map((segment) => segment.toLowerCase());
    const leads = await this.formerPaths.leads(site, names);
    const trees = await this.trees([...new Set(leads.map(({ placed }) => placed.siteSpace.space))]);
    for (const find of [present, this.former.bind(this)]) {
      for (const lead of leads) {
        const tree = trees.get(lead.placed.siteSpace.space);
        const located = tree && (await find(site, lead, tree));
        if (located) return located;
      }
    }
    return null;
  }

  private async former(site: SiteShown, { placed, rest }: Lead, tree: ContentTree): Promise<Located | null> {
    const page = rest.length === 0 ? null : await this.formerPages.find(placed.siteSpace.space, tree, rest);
    return page && locatedPage(site, placed, page);
  }

  /** The primary content of each of the spaces `ids` that is there. One read, and one for the revisions. */
  private async trees(ids: readonly string[]): Promise<Map<string, ContentTree>> {
    const spaces = await this.spaces.contentOf(ids);
    const revisions = await this.revisions.findMany(spaces.map(({ revision }) => revision));
    return new Map(
      spaces.flatMap(({ _id, revision: id }) => {
        const revision = revisions.get(id);
        return revision ? [[_id, this.revisions.tree(revision)] as const] : [];
      }),
    );
  }
}

/** What `lead` leads to by the present names of pages. */
async function present(site: SiteShown, { placed, rest }: Lead, tree: ContentTree): Promise<Located | null> {
  if (rest.length === 0) {
    const destination = { kind: 'site-space' as const, siteSpaceId: placed.siteSpace.id };
    return { destination, segments: siteSpaceSegments(site.structure, placed) };
  }
  const page = await tree.findPageByPath(rest.join('/'));
  const at = page && (await tree.place(page)).path;
  return page && at ? locatedPage(site, placed, { id: page.id, path: at }) : null;
}

function locatedPage(
  { structure }: SiteShown,
  placed: Lead['placed'],
  { id: pageId, path }: { id: string; path: string },
): Located {
  const destination = { kind: 'site-page' as const, siteSpaceId: placed.siteSpace.id, pageId };
  return { destination, segments: [...siteSpaceSegments(structure, placed), ...path.split('/')] };
}
