import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { Audit, type AuditAction } from '../../audit/index.js';
import { newId } from '../../common/ids.js';
import { Database } from '../../database/index.js';
import type { Member } from '../../organizations/index.js';
import type { Space } from '../../spaces/index.js';
import { AttachableSpaces } from '../attachable-spaces.js';
import { checkCondition } from './condition.js';
import type { Site } from '../site.schema.js';
import { SitesService } from '../sites.service.js';
import { addGroup, addToGroup, moveGroup, removeFromGroup, removeGroup, updateGroup } from './groups.js';
import { badAnchor, type Position } from './positions.js';
import {
  addSection,
  moveSection,
  removeSection,
  requireSection,
  type SectionChanges,
  updateSection,
} from './sections.js';
import { shownStructure } from './shown.js';
import { addSiteSpace, moveSiteSpace, removeSiteSpace, updateSiteSpace } from './site-spaces.js';
import { findSection, findSiteSpace, type SiteStructure } from './structure.js';
import { changesOf } from './recorded.js';
import { refusing } from './refusing.js';

/** A site after a change of its structure, and the id of what was changed. */
export interface Changed {
  site: Site;
  id: string;
}

/** A part of a site, and what is done to it. */
interface Part {
  action: AuditAction;
  id: string;
}

/** A part of a site, as a body names it. */
export interface PartReference {
  type: 'site-space' | 'site-section' | 'site-section-group';
  id: string;
}

/** Changes what sites are made of; each change as a whole or not at all. */
@Injectable()
export class SiteStructureService {
  constructor(
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly sites: SitesService,
    private readonly attachable: AttachableSpaces,
  ) {}

  /**
   * Adds a section that begins with the space `spaceId`.
   * @throws BadRequestException for a space that cannot be put on the site, ForbiddenException for one in which `member`
   * lacks `create`.
   */
  async addSection(
    site: Site,
    member: Member | null,
    { spaceId, title }: { spaceId: string; title?: string | null },
  ): Promise<Changed> {
    const space = await this.attachable.one(site.organization, member, spaceId);
    const ids = { id: newId(), root: newId(), siteSpace: newId() };
    return this.adding(site, { action: 'site-section.create', id: ids.id }, space, async (structure, now) => {
      const home = findSiteSpace(structure, structure.defaultSiteSpace ?? '');
      const root = { id: ids.root, title: home ? await this.attachable.titleOf(home.siteSpace.space) : '' };
      const siteSpace = { id: ids.siteSpace, space: space._id, title: space.title };
      return addSection(structure, { id: ids.id, title, siteSpace }, { root, now });
    });
  }

  /** Changes a section. @throws NotFoundException, BadRequestException for a reference or a condition, ConflictException for a path. */
  async updateSection(site: Site, id: string, changes: SectionChanges): Promise<Changed> {
    checkCondition(changes.condition);
    return this.changing(site, { action: 'site-section.update', id }, ({ all, shown }, now) => {
      const updated = updateSection(all, id, { ...changes, now });
      const { defaultSiteSpace } = changes;
      if (defaultSiteSpace !== undefined && !findSiteSpace(shown, defaultSiteSpace))
        throw new BadRequestException('defaultSiteSpace must be the id of a site-space in this section');
      return updated;
    });
  }

  /** Moves a section. @throws NotFoundException, BadRequestException for an impossible position. */
  moveSection(site: Site, id: string, position: Position, groupsToo = false): Promise<Changed> {
    return this.changing(site, { action: 'site-section.move', id }, ({ all }) => {
      requireSection(all, id);
      if (!groupsToo) checkAnchors(position, (anchor) => findSection(all, anchor) !== undefined);
      return moveSection(all, id, position);
    });
  }

  /** Removes a section with its site-spaces; the spaces survive. @throws NotFoundException. */
  removeSection(site: Site, id: string): Promise<Changed> {
    return this.changing(site, { action: 'site-section.delete', id }, ({ all }) => removeSection(all, id));
  }

  /** Adds a group of sections. @throws BadRequestException for a section that is not of the site. */
  addGroup(
    site: Site,
    { title, icon = null, sections = [] }: { title: string; icon?: string | null; sections?: string[] },
  ): Promise<Changed> {
    const id = newId();
    return this.changing(site, { action: 'site-section-group.create', id }, ({ all }, now) =>
      addGroup(all, { id, title, icon, sections }, now),
    );
  }

  /** Changes a group. @throws NotFoundException. */
  updateGroup(site: Site, id: string, changes: { title?: string; icon?: string | null }): Promise<Changed> {
    return this.changing(site, { action: 'site-section-group.update', id }, ({ all }, now) =>
      updateGroup(all, id, { ...changes, now }),
    );
  }

  /** Removes a group; its sections stay. @throws NotFoundException. */
  removeGroup(site: Site, id: string): Promise<Changed> {
    return this.changing(site, { action: 'site-section-group.delete', id }, ({ all }) => removeGroup(all, id));
  }

  /** Moves a group. @throws NotFoundException, BadRequestException for an impossible position. */
  moveGroup(site: Site, id: string, position: Position): Promise<Changed> {
    return this.changing(site, { action: 'site-section-group.move', id }, ({ all }) => moveGroup(all, id, position));
  }

  /** Puts a section into a group. @throws NotFoundException, BadRequestException for a section that is not of the site. */
  addToGroup(site: Site, id: string, sectionId: string): Promise<Changed> {
    return this.changing(site, { action: 'site-section-group.add-section', id }, ({ all }) =>
      addToGroup(all, id, sectionId),
    );
  }

  /** Takes a section out of a group. @throws NotFoundException when it is not in it. */
  removeFromGroup(site: Site, id: string, sectionId: string): Promise<Changed> {
    return this.changing(site, { action: 'site-section-group.remove-section', id }, ({ all }) =>
      removeFromGroup(all, id, sectionId),
    );
  }

  /**
   * Puts a space on the site. @throws BadRequestException for a space or section that cannot be, ForbiddenException without
   * `create` in the space, ConflictException when it is there already.
   */
  async addSiteSpace(
    site: Site,
    member: Member | null,
    { spaceId, sectionId }: { spaceId: string; sectionId?: string },
  ): Promise<Changed> {
    const space = await this.attachable.one(site.organization, member, spaceId);
    const id = newId();
    const added = { id, space: space._id, title: space.title };
    return this.adding(site, { action: 'site-space.create', id }, space, (structure, now) =>
      addSiteSpace(structure, added, { section: sectionId, now }),
    );
  }

  /** Changes a site-space. @throws NotFoundException, BadRequestException for a condition or path, ConflictException for a path. */
  async updateSiteSpace(
    site: Site,
    id: string,
    changes: { path?: string; condition?: string | null },
  ): Promise<Changed> {
    checkCondition(changes.condition);
    return this.changing(site, { action: 'site-space.update', id }, ({ all, shown }, now) => {
      requireShown(shown, id);
      return updateSiteSpace(all, id, { ...changes, now });
    });
  }

  /** Moves a site-space. @throws NotFoundException, BadRequestException for a position, ConflictException when its space is there. */
  moveSiteSpace(site: Site, id: string, position: Position): Promise<Changed> {
    return this.changing(site, { action: 'site-space.move', id }, ({ all, shown }) => {
      requireShown(shown, id);
      checkAnchors(position, (anchor) => findSiteSpace(shown, anchor) !== undefined);
      return moveSiteSpace(all, id, position);
    });
  }

  /** Takes a site-space off the site; the space survives. @throws NotFoundException. */
  removeSiteSpace(site: Site, id: string): Promise<Changed> {
    return this.changing(site, { action: 'site-space.delete', id }, ({ all, shown }) => {
      requireShown(shown, id);
      return removeSiteSpace(all, id);
    });
  }

  /**
   * Moves a part of whatever kind (decision 5.A). The item and the anchors are named by a body: what is not there is a bad
   * request. @throws BadRequestException, ConflictException as the operation for the kind.
   */
  async sort(
    site: Site,
    { type, id }: PartReference,
    { to, beside }: { to: Position; beside: { before?: PartReference; after?: PartReference } },
  ): Promise<Changed> {
    for (const property of ['before', 'after'] as const) {
      const anchor = beside[property]?.type;
      if (anchor !== undefined && (anchor === 'site-space') !== (type === 'site-space'))
        throw new BadRequestException(`position.${property}.type does not go with the type of what is moved`);
    }
    try {
      if (type === 'site-space') return await this.moveSiteSpace(site, id, to);
      return type === 'site-section' ? await this.moveSection(site, id, to, true) : await this.moveGroup(site, id, to);
    } catch (error) {
      throw error instanceof NotFoundException
        ? new BadRequestException(`item.id names no ${type} of this site`)
        : error;
    }
  }

  private changing(
    site: Pick<Site, '_id' | 'organization'>,
    done: Part,
    change: (structure: { all: SiteStructure; shown: SiteStructure }, now: Date) => SiteStructure,
  ): Promise<Changed> {
    return this.written(site, done, (present, now) =>
      change({ all: present.structure, shown: shownStructure(present) }, now),
    );
  }

  /** As {@link changing}, where `space` is put on the site: it is there, and not in the trash, when that is done. */
  private adding(
    site: Pick<Site, '_id' | 'organization'>,
    done: Part,
    space: Pick<Space, '_id'>,
    change: (structure: SiteStructure, now: Date) => SiteStructure | Promise<SiteStructure>,
  ): Promise<Changed> {
    return this.written(site, done, async (present, now) => {
      await this.attachable.hold(site.organization, [space._id]);
      return change(present.structure, now);
    });
  }

  /** Writes and records the structure that `change` makes of that of the site as it is; nothing where it is the same. */
  private written(
    { _id, organization }: Pick<Site, '_id' | 'organization'>,
    { action, id }: Part,
    change: (site: Site, now: Date) => SiteStructure | Promise<SiteStructure>,
  ): Promise<Changed> {
    return this.database.transaction(async () => {
      let before: SiteStructure | undefined;
      const site = await this.sites.change({ _id }, async (present) => {
        const structure = await refusing(() => change(present, new Date()));
        before = isSame(present.structure, structure) ? undefined : present.structure;
        return before ? { structure } : {};
      });
      if (before) await this.audit.record({ organization, action, id, changes: changesOf(before, site.structure, id) });
      return { site, id };
    });
  }
}

/** @throws NotFoundException for what is not shown: it is not on the site, or its space is in the trash. */
function requireShown(structure: SiteStructure, id: string): void {
  if (!findSiteSpace(structure, id)) throw new NotFoundException('Site-space not found');
}

/** @throws StructureError for an anchor that is not what it should be. */
function checkAnchors(position: Position, isAnchor: (id: string) => boolean): void {
  for (const property of ['before', 'after'] as const) {
    const id = position[property];
    if (id !== undefined && !isAnchor(id)) throw badAnchor(property);
  }
}

const isSame = (one: SiteStructure, other: SiteStructure): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
