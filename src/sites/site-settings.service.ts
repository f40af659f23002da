import { BadRequestException, ConflictException, Injectable } from '@nestjs/common';
import { Audit, changesBetween, madeWith } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { newId, randomText } from '../common/ids.js';
import { numberedSlug, toSlug } from '../common/slugs.js';
import { EditService } from '../content/index.js';
import { Database } from '../database/index.js';
import type { Member } from '../organizations/index.js';
import { type Space, SpacesService } from '../spaces/index.js';
import { AttachableSpaces } from './attachable-spaces.js';
import type { CreateSiteDto, NewSpace } from './dto/create-site.dto.js';
import type { UpdateSiteDto } from './dto/update-site.dto.js';
import { samplePages } from './sample-pages.js';
import type { Site } from './site.schema.js';
import { type NewSite, proxyKeyOf, type SiteChanges, SitesService } from './sites.service.js';
import { refusing } from './structure/refusing.js';
import { setDefaultSection, setDefaultSiteSpace } from './structure/sections.js';
import { shownStructure } from './structure/shown.js';
import { addSiteSpace } from './structure/site-spaces.js';
import {
  EMPTY_STRUCTURE,
  findSection,
  findSiteSpace,
  siteSpacesOf,
  type SiteStructure,
} from './structure/structure.js';

/** Up to which number basenames that are taken are numbered; after that chance makes them. */
const NUMBERED = 10;
/** Longest title of a space (decision 3.30). */
const MAX_SPACE_TITLE = 50;

/** Makes sites, and changes what they are called, whom they admit and whether they are published. */
@Injectable()
export class SiteSettings {
  constructor(
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly events: DomainEvents,
    private readonly sites: SitesService,
    private readonly attachable: AttachableSpaces,
    private readonly spaces: SpacesService,
    private readonly edits: EditService,
  ) {}

  /**
   * Makes a site of `spaces`, or of a new space (decisions 5.1 to 5.3); it is not published.
   *
   * @throws BadRequestException for a space that cannot be put on it, ForbiddenException for one in which `member` lacks
   * `create`, ConflictException for the same space twice.
   */
  async create(member: Member, { spaces: asked = [], title, ...fields }: CreateSiteDto): Promise<Site> {
    const { organization } = member;
    const given = typeof asked === 'string' ? null : await this.attachable.many(organization, member, asked);
    const called = title ?? titleAfter(given?.[0]);
    // a space without a site does no harm, a site without the space that was asked for would
    const spaces = given ?? [await this.newSpace(member, called, asked as NewSpace)];
    const structure = await refusing(() => rootOf(spaces));
    const site = {
      organization,
      type: 'basic' as const,
      visibility: 'public' as const,
      ...fields,
      title: called,
      structure,
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.insert({ ...site, basename: basenameFor(called, attempt) }, spaces);
      } catch (error) {
        if ((error as { code?: unknown }).code !== 11000 || attempt >= 100) throw error;
      }
    }
  }

  /**
   * Changes what `changes` names (decisions 3.7, 3.8, 5.4).
   *
   * @throws BadRequestException for a default that is not of the site, ConflictException for a basename or proxy that
   * another site has.
   */
  async update(
    { _id, organization }: Site,
    { defaultSiteSpace, defaultSiteSection, adaptiveContent, ...fields }: UpdateSiteDto,
  ): Promise<Site> {
    return this.database.transaction(async () => {
      let before: Site | undefined;
      const after = await this.sites.change({ _id }, async (site) => {
        before = site;
        await this.requireFree({ _id, organization }, fields);
        const structure = await refusing(() => withDefaults(site, { defaultSiteSpace, defaultSiteSection }));
        return {
          ...fields,
          ...(adaptiveContent && { adaptiveContent: adaptiveContent.enabled }),
          ...(structure !== site.structure && { structure }),
        };
      });
      const changes = before ? changesBetween(shownOf(before), shownOf(after), SHOWN) : {};
      if (Object.keys(changes).length > 0)
        await this.audit.record({ organization, action: 'site.update', id: _id, changes });
      return after;
    });
  }

  /** Publishes a site, or ends that; nothing when it is so already. @throws ConflictException for a site without any space. */
  async publish({ _id, organization }: Pick<Site, '_id' | 'organization'>, published: boolean): Promise<Site> {
    return this.database.transaction(async () => {
      let before: Site | undefined;
      const after = await this.sites.change({ _id }, (site): SiteChanges => {
        if (published && siteSpacesOf(shownStructure(site)).length === 0)
          throw new ConflictException('The site has no space yet: put one on it before you publish it');
        before = site;
        return site.published === published ? {} : { published };
      });
      const action = published ? 'site.publish' : 'site.unpublish';
      if (before?.published === published) return after;
      await this.audit.record({ organization, action, id: _id });
      if (published) await this.events.emit('site.published', { organization, site: _id });
      return after;
    });
  }

  private async insert(site: NewSite, spaces: readonly Space[]): Promise<Site> {
    return this.database.transaction(async () => {
      const ids = spaces.map((space) => space._id);
      await this.attachable.hold(site.organization, ids, 'spaces');
      const made = await this.sites.insert(site);
      const { organization, title, type, visibility } = made;
      const changes = madeWith({ title, type, visibility, spaces: ids });
      await this.audit.record({ organization, action: 'site.create', id: made._id, changes });
      return made;
    });
  }

  private async newSpace({ organization, user }: Member, title: string, kind: NewSpace): Promise<Space> {
    const space = await this.spaces.create(organization, user, { title: cut(title) });
    if (kind === 'sample') await this.edits.edit(space, user, samplePages(title));
    return space;
  }

  private async requireFree(
    { _id, organization }: Pick<Site, '_id' | 'organization'>,
    { basename, proxy }: Pick<UpdateSiteDto, 'basename' | 'proxy'>,
  ): Promise<void> {
    const holder = basename === undefined ? null : await this.sites.findByBasename(organization, basename);
    if (holder && holder._id !== _id)
      throw new ConflictException(`basename is taken: another site of the organization is at "${basename ?? ''}"`);
    const [shown] = proxy === undefined || proxy === null ? [] : await this.sites.findByProxies([proxyKeyOf(proxy)]);
    if (shown && shown._id !== _id) throw new ConflictException('proxy is taken: another site is shown there');
  }
}

const SHOWN = [
  ...(['title', 'visibility', 'basename', 'proxy', 'adaptiveContent'] as const),
  ...(['defaultSiteSpace', 'defaultSiteSection'] as const),
] as const;

/** What of a site is recorded when it changes. */
function shownOf({ structure, ...site }: Site) {
  const home = findSection(structure, structure.defaultSection)?.section ?? structure;
  const { title, visibility, basename, proxy, adaptiveContent } = site;
  const defaults = { defaultSiteSpace: home.defaultSiteSpace, defaultSiteSection: structure.defaultSection };
  return { title, visibility, basename, proxy, adaptiveContent, ...defaults };
}

/** The title of a site called after the first of its spaces (decisions 5.2, 5.6). */
function titleAfter(space: Pick<Space, 'title'> | undefined): string {
  if (!space) return 'Untitled site';
  return [...space.title].length < 2 ? `Site ${space.title}` : space.title;
}

/** The structure with `spaces` at the root, in that order. @throws StructureError for the same one twice. */
function rootOf(spaces: readonly Space[]): SiteStructure {
  const now = new Date();
  return spaces.reduce<SiteStructure>(
    (structure, { _id: space, title }) => addSiteSpace(structure, { id: newId(), space, title }, { now }),
    EMPTY_STRUCTURE,
  );
}

/** The basename tried at the `attempt`-th time: the slug of the title, then numbered, at last with something random behind it. */
function basenameFor(title: string, attempt: number): string {
  const slug = toSlug(title, 'site');
  if (attempt === 1) return slug;
  return attempt <= NUMBERED
    ? numberedSlug(slug, attempt)
    : `${slug.slice(0, 80).replace(/-+$/, '')}-${randomText(8).toLowerCase()}`;
}

/** The structure of `site` with other defaults; itself when none is asked for. @throws StructureError, BadRequestException. */
function withDefaults(
  site: Pick<Site, 'structure' | 'trashed'>,
  { defaultSiteSpace, defaultSiteSection }: Pick<UpdateSiteDto, 'defaultSiteSpace' | 'defaultSiteSection'>,
): SiteStructure {
  let { structure } = site;
  if (defaultSiteSection !== undefined) structure = setDefaultSection(structure, defaultSiteSection);
  if (defaultSiteSpace === undefined) return structure;
  if (!findSiteSpace(shownStructure(site), defaultSiteSpace))
    throw new BadRequestException('defaultSiteSpace must be the id of a site-space of this site');
  return setDefaultSiteSpace(structure, defaultSiteSpace);
}

const cut = (title: string): string => [...title].slice(0, MAX_SPACE_TITLE).join('');
