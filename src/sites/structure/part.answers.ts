import { Injectable, NotFoundException } from '@nestjs/common';
import type { Response } from 'express';
import { mapPage, type Page } from '../../common/page.dto.js';
import { listScope, type ListQuery, pageOfArray } from '../../common/pagination.js';
import { Urls } from '../../common/urls.js';
import { siteFor } from '../published/visible-site.js';
import { SiteAnswers, type SiteViewer } from '../site.answers.js';
import {
  findGroup,
  findSection,
  findSiteSpace,
  groupsOf,
  isDefault,
  type PlacedSection,
  type PlacedSiteSpace,
  sectionsOf,
  type SectionGroup,
  siteSpacesOf,
} from './structure.js';
import {
  type SiteSectionGroupView,
  type SiteSectionView,
  type SiteSpaceView,
  type SiteStructureView,
  toSiteSection,
  toSiteSectionGroup,
  toSiteSpace,
  toSiteStructure,
} from './structure.view.js';
import type { Changed } from './site-structure.service.js';

/** What of the parts of sites answers show: of the structure as it is shown. */
@Injectable()
export class PartAnswers {
  constructor(
    private readonly answers: SiteAnswers,
    private readonly urls: Urls,
  ) {}

  /** The whole structure. */
  async structure(access: SiteViewer): Promise<SiteStructureView> {
    return toSiteStructure(await this.answers.around(showing(access)));
  }

  /** One page of the sections, in reading order. */
  async sections(access: SiteViewer, query: ListQuery): Promise<Page<SiteSectionView>> {
    const viewer = showing(access);
    const page = pageOf(sectionsOf(viewer.site.structure), ({ section }) => section.id, ['sections', viewer], query);
    const around = await this.answers.around(viewer, page.items.flatMap(inSection));
    return mapPage(page, (placed) => toSiteSection(placed, around));
  }

  /** One page of the groups, in reading order. */
  async groups(access: SiteViewer, query: ListQuery): Promise<Page<SiteSectionGroupView>> {
    const viewer = showing(access);
    const page = pageOf(groupsOf(viewer.site.structure), ({ id }) => id, ['groups', viewer], query);
    const around = await this.answers.around(viewer, page.items.flatMap(inGroup));
    return mapPage(page, (group) => toSiteSectionGroup(group, around));
  }

  /** One page of the site-spaces, in reading order; `isDefault`: the default ones only, or the others only. */
  async siteSpaces(
    access: SiteViewer,
    { default: wanted, ...query }: ListQuery & { default?: boolean },
  ): Promise<Page<SiteSpaceView>> {
    const viewer = showing(access);
    const { structure } = viewer.site;
    const asked = siteSpacesOf(structure).filter(
      (placed) => wanted === undefined || isDefault(structure, placed) === wanted,
    );
    const page = pageOf(asked, ({ siteSpace }) => siteSpace.id, ['site-spaces', viewer, wanted], query);
    const around = await this.answers.around(viewer, page.items);
    return { ...page, items: page.items.flatMap((placed) => toSiteSpace(placed, around)) };
  }

  /** The section that was changed. @throws NotFoundException when it went away a moment ago. */
  async section(access: SiteViewer, { site, id }: Changed): Promise<SiteSectionView> {
    const viewer = showing({ ...access, site });
    const placed = findSection(viewer.site.structure, id);
    if (!placed) throw new NotFoundException('Section not found');
    return toSiteSection(placed, await this.answers.around(viewer, inSection(placed)));
  }

  /** The group that was changed. @throws NotFoundException when it went away a moment ago. */
  async group(access: SiteViewer, { site, id }: Changed): Promise<SiteSectionGroupView> {
    const viewer = showing({ ...access, site });
    const group = findGroup(viewer.site.structure, id);
    if (!group) throw new NotFoundException('Section group not found');
    return toSiteSectionGroup(group, await this.answers.around(viewer, inGroup(group)));
  }

  /** The site-space that was changed. @throws NotFoundException when it went away a moment ago. */
  async siteSpace(access: SiteViewer, { site, id }: Changed): Promise<SiteSpaceView> {
    const viewer = showing({ ...access, site });
    const placed = findSiteSpace(viewer.site.structure, id);
    const [view] = placed ? toSiteSpace(placed, await this.answers.around(viewer, [placed])) : [];
    if (!view) throw new NotFoundException('Site-space not found');
    return view;
  }

  /** Says in `response` where in this API the part of a site that was made is. */
  locate(response: Response, { site, id }: Changed, family: 'sections' | 'section-groups' | 'site-spaces'): void {
    response.location(this.urls.api('orgs', site.organization, 'sites', site._id, family, id));
  }
}

const showing = (viewer: SiteViewer): SiteViewer => ({ ...viewer, site: siteFor(viewer) });

const inSection = ({ section }: Pick<PlacedSection, 'section'>): PlacedSiteSpace[] =>
  section.siteSpaces.map((siteSpace) => ({ siteSpace, section }));

const inGroup = ({ sections }: SectionGroup): PlacedSiteSpace[] =>
  sections.flatMap((section) => inSection({ section }));

function pageOf<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  [list, { site }, filter]: [string, SiteViewer, unknown?],
  query: ListQuery,
): Page<T> {
  return pageOfArray(items, idOf, listScope(list, site._id, filter), query);
}
