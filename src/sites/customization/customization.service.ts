import { BadRequestException, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type AuditAction, changesBetween } from '../../audit/index.js';
import { Database } from '../../database/index.js';
import { SiteParts } from '../site-parts.js';
import type { Site, SiteIcon } from '../site.schema.js';
import { SitesService } from '../sites.service.js';
import { shownStructure } from '../structure/shown.js';
import { findSection, findSiteSpace, siteSpacesOf } from '../structure/structure.js';
import { CustomizationRecord, MAX_BYTES } from './customization.schema.js';
import { patched } from './parts.js';
import { References } from './references.service.js';
import { referencesIn } from './references.js';
import {
  type CustomizationPart,
  type CustomizationPatch,
  overridden,
  SETTINGS,
  settingsOf,
  type SiteCustomization,
} from './settings.js';

/** The settings of a site, and those of each of its site-spaces that has some of its own. */
export interface SiteCustomizations {
  site: SiteCustomization;
  /** By the id of the site-space. */
  siteSpaces: Map<string, SiteCustomization>;
}

/** The settings of a site-space as they are in force. */
export interface SiteSpaceCustomization {
  settings: SiteCustomization;
  hasOverrides: boolean;
}

/** How sites look (decision 3.A). */
@Injectable()
export class CustomizationService implements OnModuleInit {
  private readonly ofSite: (site: string) => Promise<CustomizationRecord[]>;

  constructor(
    @InjectModel(CustomizationRecord.name) private readonly records: Model<CustomizationRecord>,
    private readonly sites: SitesService,
    private readonly parts: SiteParts,
    private readonly references: References,
    private readonly audit: Audit,
    database: Database,
  ) {
    this.ofSite = database.shared((site) => this.records.find({ site }).lean<CustomizationRecord[]>());
  }

  /** Has the settings of a site go with it, and those of site-spaces with these. */
  onModuleInit(): void {
    this.parts.add({
      changed: (before, after) => this.forgetRemoved(before, after),
      removed: async ({ _id: site }) => {
        await this.records.deleteMany({ site });
      },
    });
  }

  /** The settings of a site and of its site-spaces, those of what is in the trash left out. One read. */
  async all(site: Site): Promise<SiteCustomizations> {
    const records = await this.ofSite(site._id);
    const own = settingsOf(site.title, records.find(({ siteSpace }) => siteSpace === null)?.part ?? {});
    const shown = new Set(siteSpacesOf(shownStructure(site)).map(({ siteSpace }) => siteSpace.id));
    const overrides = records.flatMap(({ siteSpace, part }): [string, SiteCustomization][] =>
      siteSpace !== null && shown.has(siteSpace) ? [[siteSpace, overridden(own, part)]] : [],
    );
    return { site: own, siteSpaces: new Map(overrides) };
  }

  /** The settings of a site. One read. */
  async of({ _id, title }: Pick<Site, '_id' | 'title'>): Promise<SiteCustomization> {
    return settingsOf(title, await this.partOf(_id));
  }

  /** The settings of a site-space: those of the site, and its own in their place. @throws NotFoundException. */
  async ofSiteSpace(site: Site, siteSpace: string): Promise<SiteSpaceCustomization> {
    requireSiteSpace(site, siteSpace);
    const ids = [site._id, idOf(site, siteSpace)];
    const records = await this.records.find({ _id: { $in: ids } }).lean<CustomizationRecord[]>();
    const [own, overrides] = ids.map((id) => records.find(({ _id }) => _id === id)?.part);
    const settings = settingsOf(site.title, own ?? {});
    return { settings: overridden(settings, overrides ?? {}), hasOverrides: overrides !== undefined };
  }

  /**
   * Puts `part` in place of all that was set for a site; what it leaves out takes its default.
   * @throws BadRequestException for a reference that names nothing `user` can see, and for too much.
   */
  async put(site: Site, user: string, part: CustomizationPart): Promise<SiteCustomization> {
    checkSize(part);
    const ground = { user, organization: site.organization, space: firstSpace(site) };
    await this.references.check(ground, referencesIn(part));
    const after = await this.sites.change(site, async ({ _id, organization }) => {
      const done = { organization, action: 'site.customize', id: _id } as const;
      if (!(await this.record(done, await this.partOf(_id), part))) return {};
      await this.write({ _id, site: _id, siteSpace: null, part });
      return { icon: iconOf(part) };
    });
    return settingsOf(after.title, part);
  }

  /**
   * Changes what is set for a site-space alone; nothing, and nothing moves.
   * @throws NotFoundException, BadRequestException as {@link put}.
   */
  async patch(site: Site, id: string, user: string, patch: CustomizationPatch): Promise<SiteSpaceCustomization> {
    const { space } = requireSiteSpace(site, id);
    await this.references.check({ user, organization: site.organization, space }, referencesIn(patch));
    const after = await this.sites.change(site, async (fresh) => {
      requireSiteSpace(fresh, id);
      const before = await this.partOf(idOf(fresh, id));
      const part = patched(SETTINGS, before, patch);
      checkSize(part);
      const done = { organization: fresh.organization, action: 'site-space.customize', id } as const;
      if (!(await this.record(done, before, part))) return {};
      const isEmpty = Object.keys(part).length === 0;
      if (isEmpty) await this.records.deleteOne({ _id: idOf(fresh, id) });
      else await this.write({ _id: idOf(fresh, id), site: fresh._id, siteSpace: id, part });
      const others = fresh.customized.filter((one) => one !== id);
      return { customized: isEmpty ? others : [...others, id] };
    });
    return this.ofSiteSpace(after, id);
  }

  /** Takes back all that is set for a site-space alone; there may be nothing. @throws NotFoundException. */
  async remove(site: Site, id: string): Promise<void> {
    await this.sites.change(site, async (fresh) => {
      requireSiteSpace(fresh, id);
      const before = await this.partOf(idOf(fresh, id));
      const done = { organization: fresh.organization, action: 'site-space.customize', id } as const;
      if (!(await this.record(done, before, {}))) return {};
      await this.records.deleteOne({ _id: idOf(fresh, id) });
      return { customized: fresh.customized.filter((one) => one !== id) };
    });
  }

  /** Records what differs between what was set and what is. @returns whether anything does. */
  private async record(
    done: { organization: string; action: AuditAction; id: string },
    before: CustomizationPart,
    after: CustomizationPart,
  ): Promise<boolean> {
    const names = Object.keys({ ...before, ...after }) as (keyof CustomizationPart)[];
    const changes = changesBetween(before, after, names);
    if (Object.keys(changes).length === 0) return false;
    await this.audit.record({ ...done, changes });
    return true;
  }

  private async partOf(_id: string): Promise<CustomizationPart> {
    return (await this.records.findById(_id).lean<CustomizationRecord>())?.part ?? {};
  }

  private async write({
    _id,
    ...set
  }: Pick<CustomizationRecord, '_id' | 'site' | 'siteSpace' | 'part'>): Promise<void> {
    await this.records.updateOne({ _id }, { $set: set }, { upsert: true });
  }

  private async forgetRemoved(before: Site, after: Site): Promise<void> {
    const gone = before.customized.filter((id) => !after.customized.includes(id));
    if (gone.length === 0) return;
    await this.records.deleteMany({ _id: { $in: gone.map((id) => idOf(after, id)) } });
  }
}

function idOf({ _id }: Pick<Site, '_id'>, siteSpace: string): string {
  return `${_id}:${siteSpace}`;
}

/** @throws NotFoundException when the site shows no site-space `id`. */
function requireSiteSpace(site: Site, id: string): { space: string } {
  const placed = findSiteSpace(shownStructure(site), id);
  if (!placed) throw new NotFoundException('Site-space not found');
  return placed.siteSpace;
}

/** The space that a site shows first, or `null`. */
function firstSpace(site: Site): string | null {
  const structure = shownStructure(site);
  const holder = findSection(structure, structure.defaultSection)?.section ?? structure;
  return holder.siteSpaces.find(({ id }) => id === holder.defaultSiteSpace)?.space ?? null;
}

/** The icon of a site with these settings (decision 3.3). */
function iconOf({ favicon = {} }: CustomizationPart): SiteIcon | null {
  if (typeof favicon.icon === 'object') return { icon: favicon.icon };
  return typeof favicon.emoji === 'string' ? { emoji: favicon.emoji } : null;
}

function checkSize(part: CustomizationPart): void {
  if (Buffer.byteLength(JSON.stringify(part)) > MAX_BYTES)
    throw new BadRequestException(`The settings must be at most ${String(MAX_BYTES)} bytes of JSON`);
}
