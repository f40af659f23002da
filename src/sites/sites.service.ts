import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, removedWith } from '../audit/index.js';
import { fold, literally } from '../common/folding.js';
import { isId, newId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { type Member, OrganizationsService } from '../organizations/index.js';
import { SpacesService } from '../spaces/index.js';
import { SiteParts } from './site-parts.js';
import { seesEverySite } from './site.policy.js';
import { Site } from './site.schema.js';
import { siteSpacesOf, type SiteStructure, spacesOf } from './structure/structure.js';

/** How often a change that lost a race is made anew before the caller is told. */
const ATTEMPTS = 5;
/** What the structures of the sites in a page may come to, in characters. */
const PAGE = 8 * 1024 * 1024;

/** What a change of a site sets; what follows from it is set with it. */
export type SiteChanges = Partial<
  Pick<
    Site,
    | 'title'
    | 'visibility'
    | 'basename'
    | 'published'
    | 'proxy'
    | 'adaptiveContent'
    | 'structure'
    | 'icon'
    | 'customized'
    | 'redirects'
    | 'trashed'
  >
>;

/** What a new site begins with. */
export type NewSite = Pick<Site, 'organization' | 'title' | 'type' | 'visibility' | 'basename' | 'structure'>;

/** Sites that are read as a whole without knowing whether all of them matter. */
const FEW = 8;

const OUTLINE = { organization: 1, visibility: 1, published: 1, spaces: 1, trashed: 1, createdAt: 1 } as const;
/** What of a site says whom it may show which spaces. */
export type SiteOutline = Pick<Site, '_id' | keyof typeof OUTLINE>;

/** Which of the sites of an organization. */
export interface SiteFilter extends ListQuery {
  /** Id of a space that they carry. */
  space?: string;
  /** Part of the title, in any case. */
  title?: string;
  published?: boolean;
}

/** The records of sites. */
@Injectable()
export class SitesService {
  private readonly byId: (id: string) => Promise<Site | null>;
  private readonly carrying: (space: string) => Promise<(Site | SiteOutline)[] | null>;
  private readonly carryingSome: (spaces: readonly string[]) => Promise<(Site | SiteOutline)[]>;

  constructor(
    @InjectModel(Site.name) private readonly sites: Model<Site>,
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly parts: SiteParts,
    private readonly spaces: SpacesService,
    private readonly organizations: OrganizationsService,
  ) {
    this.byId = database.finder(sites);
    this.carrying = database.gathered((ids) => this.byEachSpace(ids));
    this.carryingSome = database.shared((ids) => this.carryingOneOf(ids));
  }

  /** The site `id` of `organization`, or `null`. */
  async find(organization: string, id: string): Promise<Site | null> {
    const site = await this.findById(id);
    return site?.organization === organization ? site : null;
  }

  /** The site with `id`, whatever organization it belongs to, or `null`. */
  async findById(id: string): Promise<Site | null> {
    return isId(id) ? this.byId(id) : null;
  }

  /** The site that `organization` has under `basename`, or `null`. */
  async findByBasename(organization: string, basename: string): Promise<Site | null> {
    return this.sites.findOne({ organization, basename }).lean<Site>();
  }

  /** The sites that are shown under one of `proxies` (host in lower case, and path), in no order. One read. */
  async findByProxies(proxies: readonly string[]): Promise<Site[]> {
    return proxies.length === 0 ? [] : this.sites.find({ proxyKey: { $in: [...proxies] } }).lean<Site[]>();
  }

  /** Those of the sites `ids` that are there, by id. One read. */
  async byIds(ids: readonly string[]): Promise<Map<string, Site>> {
    const found = ids.length === 0 ? [] : await this.sites.find({ _id: { $in: [...new Set(ids)] } }).lean<Site[]>();
    return new Map(found.map((site) => [site._id, site]));
  }

  /**
   * The published sites that carry one of `spaces`, the oldest first. Where they are more than a few, of each its outline; what it
   * is made of is read by {@link whole}. One read, or two.
   */
  async bySpaces(spaces: readonly string[]): Promise<(Site | SiteOutline)[]> {
    const [space, ...others] = new Set(spaces);
    if (space === undefined) return [];
    // of one space every reader of it asks
    return others.length === 0 ? ((await this.carrying(space)) ?? []) : this.carryingSome([space, ...others]);
  }

  private async byEachSpace(spaces: readonly string[]): Promise<Map<string, (Site | SiteOutline)[]>> {
    const sites = await this.carryingOneOf(spaces);
    return new Map(spaces.map((space) => [space, sites.filter((site) => site.spaces.includes(space))]));
  }

  private async carryingOneOf(spaces: readonly string[]): Promise<(Site | SiteOutline)[]> {
    const filter = { spaces: { $in: spaces }, published: true };
    const few = await this.sites
      .find(filter)
      .limit(FEW + 1)
      .lean<Site[]>();
    const found = few.length <= FEW ? few : await this.sites.find(filter, OUTLINE).lean<SiteOutline[]>();
    return found.sort(
      (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one._id < other._id ? -1 : 1),
    );
  }

  /** `sites` with all that they are, those that are published still. One read at most. */
  async whole(sites: readonly (Site | SiteOutline)[]): Promise<Site[]> {
    const read = await this.byIds(sites.flatMap((site) => (isWhole(site) ? [] : site._id)));
    const found = sites.flatMap((site) => (isWhole(site) ? site : (read.get(site._id) ?? [])));
    return found.filter(({ published }) => published);
  }

  /** Whether a site, published or not, carries `space`. */
  async carries(space: string): Promise<boolean> {
    return (await this.sites.exists({ spaces: space })) !== null;
  }

  /**
   * One page of the sites of an organization that `member` can see, newest first (decision 5.11). Who does not see all of
   * them sees those with a space in which they have a role.
   */
  async list(
    organization: string,
    member: Member,
    { space, title, published, ...query }: SiteFilter,
  ): Promise<Page<Site>> {
    const asked = {
      organization,
      ...(space !== undefined && { spaces: space, trashed: { $ne: space } }),
      ...(title !== undefined && { folded: { $regex: literally(fold(title)) } }),
      ...(published !== undefined && { published }),
    };
    const weight = { field: 'size', most: PAGE } as const;
    if (seesEverySite(member)) return findPage(this.sites, asked, query, { weight });
    // of the spaces that are on sites, which are far fewer than all
    const seen = await this.spaces.visibleAmong(organization, await this.sites.distinct('spaces', asked), member);
    const filter = { $and: [asked, { spaces: { $in: seen } }] };
    return findPage(this.sites, filter, query, { weight, list: { ...asked, user: member.user } });
  }

  /** Writes a new site; joins a surrounding transaction. @throws a duplicate key when the basename is taken. */
  async insert(site: NewSite): Promise<Site> {
    const { structure } = site;
    const derived = { folded: fold(site.title), spaces: spacesOf(structure), size: sizeOf(structure) };
    const record = { ...site, _id: newId(), ...derived };
    const [made] = await this.sites.create([record]);
    if (!made) throw new Error('The site was not made');
    return made.toObject<Site>();
  }

  /**
   * Changes a site as `mutate` says of it as it is now; nothing, and neither date nor version move. `mutate` may run
   * again where others changed the site meanwhile, so it touches nothing but the database.
   *
   * @returns The site after the change. @throws what `mutate` throws, NotFoundException when the site is gone,
   * ConflictException when others kept changing it.
   */
  async change({ _id }: Pick<Site, '_id'>, mutate: (site: Site) => SiteChanges | Promise<SiteChanges>): Promise<Site> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const changed = await this.database.transaction(() => this.tryToChange(_id, mutate));
      if (changed) return changed;
    }
    throw new ConflictException('Others kept changing the site at the same moment; try again');
  }

  /** As {@link change}; `null` when somebody else was faster, which only happens without transactions. */
  private async tryToChange(
    _id: string,
    mutate: (site: Site) => SiteChanges | Promise<SiteChanges>,
  ): Promise<Site | null> {
    const before = await this.sites.findById(_id).lean<Site>();
    if (!before) throw new NotFoundException('Site not found');
    const changes = await mutate(before);
    if (Object.keys(changes).length === 0) return before;
    const set = { ...changes, ...following(before, changes) };
    const after = await this.sites
      .findOneAndUpdate(
        { _id, version: before.version },
        { $set: set, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean<Site>();
    if (after) await this.parts.changed(before, after);
    return after;
  }

  /** Removes a site for good, with all its parts; the spaces survive (decision 5.12). @throws NotFoundException when it is gone. */
  async remove({ _id, organization }: Pick<Site, '_id' | 'organization'>): Promise<void> {
    await this.database.transaction(async () => {
      const removed = await this.sites.findOneAndDelete({ _id }).lean<Site>();
      if (!removed) throw new NotFoundException('Site not found');
      await this.organizations.forgetSite(organization, _id);
      await this.parts.removed({ _id, organization });
      const changes = removedWith({ title: removed.title, spaces: removed.spaces });
      await this.audit.record({ organization, action: 'site.delete', id: _id, changes });
    });
  }

  /**
   * Has the site `id` of `organization` stay until the surrounding transaction is over.
   * @returns `false` when the organization has no such site.
   */
  async hold(organization: string, id: string): Promise<boolean> {
    if (!isId(id)) return false;
    const held = await this.sites.updateOne({ _id: id, organization }, { $inc: { holds: 1 } }, { timestamps: false });
    return held.matchedCount === 1;
  }

  /** Ids of all sites that carry `space`; what they are in the trash, they are at the same moment. */
  async idsCarrying(space: string): Promise<string[]> {
    const found = await this.sites.find({ spaces: space }, { _id: 1 }).lean<{ _id: string }[]>();
    return found.map(({ _id }) => _id);
  }
}

const isWhole = (site: Site | SiteOutline): site is Site => 'structure' in site;

const sizeOf = (structure: SiteStructure): number => JSON.stringify(structure).length;

/** What follows from `changes` in a record that was `before`. */
function following(before: Site, { title, proxy, structure, customized, trashed }: SiteChanges): Partial<Site> {
  const there = structure && new Set(siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.id));
  const spaces = structure && spacesOf(structure);
  return {
    ...(title !== undefined && { folded: fold(title) }),
    ...(proxy !== undefined && { proxyKey: proxy === null ? null : proxyKeyOf(proxy) }),
    ...(there &&
      spaces && {
        spaces,
        size: sizeOf(structure),
        trashed: (trashed ?? before.trashed).filter((space) => spaces.includes(space)),
        customized: (customized ?? before.customized).filter((id) => there.has(id)),
      }),
  };
}

/** `proxy` as addresses are compared: the host in lower case. */
export function proxyKeyOf(proxy: string): string {
  const slash = proxy.indexOf('/');
  return slash < 0 ? proxy.toLowerCase() : proxy.slice(0, slash).toLowerCase() + proxy.slice(slash);
}
