import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { PageOf } from '../../common/page.dto.js';
import { SpaceView } from '../../spaces/index.js';
import type { PublishedUrls } from '../site-urls.js';
import type { Site } from '../site.schema.js';
import {
  hasSections,
  isDefault,
  type PlacedSection,
  type PlacedSiteSpace,
  type SectionGroup,
  sectionsOf,
  siteSpacesOf,
} from './structure.js';

/** Addresses of a part of a site. */
export class SitePartUrls {
  /** Where it is published; left out while the site is not, or to who has no key of a share link where that takes one. */
  published?: string;
}

/** A space on a site, as the API returns it. */
export class SiteSpaceView {
  object!: 'site-space';
  id!: string;
  /** Title of the space. */
  title!: string;
  /** Its segment in addresses; the default one has none. */
  path!: string;
  /** Id of the section that it is in; left out at the root. */
  section?: string;
  space!: SpaceView;
  /** Whether it is the one without a segment where it stands. */
  default!: boolean;
  /** The expression that decides whether a visitor is shown it. */
  condition?: string;
  /** Whether it has customizations of its own. */
  hasAdvancedCustomizationFeature!: boolean;
  urls!: SitePartUrls;
}

export class SiteSpacePage extends PageOf(SiteSpaceView) {}

/** A section of a site, as the API returns it. */
export class SiteSectionView {
  object!: 'site-section';
  id!: string;
  title!: string;
  description?: string;
  /** Whether it is the one without a segment. */
  default!: boolean;
  /** Its segment in addresses; the default one has none. */
  path!: string;
  /** The expression that decides whether a visitor is shown it. */
  condition?: string;
  /** Id of the group that it is in. */
  sectionGroup?: string;
  icon?: string;
  siteSpaces!: SiteSpaceView[];
  urls!: SitePartUrls;
}

export class SiteSectionPage extends PageOf(SiteSectionView) {}

/** A group of sections, as the API returns it. */
export class SiteSectionGroupView {
  object!: 'site-section-group';
  id!: string;
  title!: string;
  icon?: string;
  sections!: SiteSectionView[];
}

export class SiteSectionGroupPage extends PageOf(SiteSectionGroupView) {}

/** What a site is made of (decision 3.16). */
@ApiExtraModels(SiteSectionView, SiteSpaceView)
export class SiteStructureView {
  type!: 'sections' | 'siteSpaces';
  /** With `sections`, its sections in reading order; else its site-spaces. */
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(SiteSectionView) }, { $ref: getSchemaPath(SiteSpaceView) }] },
  })
  structure!: SiteSectionView[] | SiteSpaceView[];
}

/** What the shapes of the parts of a site take from elsewhere. */
export interface PartSurroundings {
  /** The site, with the structure that is shown. */
  site: Pick<Site, 'structure' | 'customized'>;
  published: PublishedUrls;
  /** The spaces on it, shaped for the caller, by id. */
  spaces: ReadonlyMap<string, SpaceView>;
}

/** Shapes a site-space; `[]` for one whose space went away a moment ago. */
export function toSiteSpace(placed: PlacedSiteSpace, { site, published, spaces }: PartSurroundings): SiteSpaceView[] {
  const { siteSpace, section } = placed;
  const space = spaces.get(siteSpace.space);
  if (!space) return [];
  const url = published.siteSpace(placed);
  return [
    {
      object: 'site-space',
      id: siteSpace.id,
      title: space.title,
      path: siteSpace.path,
      ...(section && { section: section.id }),
      space,
      default: isDefault(site.structure, placed),
      ...(siteSpace.condition !== null && { condition: siteSpace.condition }),
      hasAdvancedCustomizationFeature: site.customized.includes(siteSpace.id),
      urls: { ...(url !== undefined && { published: url }) },
    },
  ];
}

/** Shapes a section with its site-spaces. */
export function toSiteSection({ section, group }: PlacedSection, around: PartSurroundings): SiteSectionView {
  const url = around.published.section(section);
  return {
    object: 'site-section',
    id: section.id,
    title: section.title,
    ...(section.description !== null && { description: section.description }),
    default: around.site.structure.defaultSection === section.id,
    path: section.path,
    ...(section.condition !== null && { condition: section.condition }),
    ...(group && { sectionGroup: group.id }),
    ...(section.icon !== null && { icon: section.icon }),
    siteSpaces: section.siteSpaces.flatMap((siteSpace) => toSiteSpace({ siteSpace, section }, around)),
    urls: { ...(url !== undefined && { published: url }) },
  };
}

/** Shapes a group with its sections. */
export function toSiteSectionGroup(group: SectionGroup, around: PartSurroundings): SiteSectionGroupView {
  return {
    object: 'site-section-group',
    id: group.id,
    title: group.title,
    ...(group.icon !== null && { icon: group.icon }),
    sections: group.sections.map((section) => toSiteSection({ section, group }, around)),
  };
}

/** Shapes the whole structure. */
export function toSiteStructure(around: PartSurroundings): SiteStructureView {
  const { structure } = around.site;
  if (!hasSections(structure)) {
    return { type: 'siteSpaces', structure: siteSpacesOf(structure).flatMap((placed) => toSiteSpace(placed, around)) };
  }
  return { type: 'sections', structure: sectionsOf(structure).map((placed) => toSiteSection(placed, around)) };
}
