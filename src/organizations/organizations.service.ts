import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { Audit, madeWith } from '../audit/index.js';
import { Answers } from '../common/answers.js';
import { newId, randomText } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { toSlug } from '../common/slugs.js';
import { Database } from '../database/index.js';
import { UsersService } from '../users/index.js';
import type { CreateOrganizationDto } from './dto/create-organization.dto.js';
import type { UpdateOrganizationDto } from './dto/update-organization.dto.js';
import type { Member } from './member.schema.js';
import { MembersService } from './members.service.js';
import { Hostname, Organization } from './organization.schema.js';
import { OwnSites } from './questions.js';

/** How long another process may go on showing settings of before a change, in ms. They decide about no access. */
const STALE = 1000;
const HOSTNAME_LENGTH = 32;
/** Up to which number hostnames that are taken are numbered; after that chance makes them. */
const NUMBERED = 10;

/** Organizations: their settings and hostnames. */
@Injectable()
export class OrganizationsService {
  private readonly sites: () => OwnSites;
  private readonly recent = new LRUCache<string, Organization>({ max: 1000, ttl: STALE });

  private readonly byId: (id: string) => Promise<Organization | null>;

  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(Hostname.name) private readonly hostnames: Model<Hostname>,
    private readonly database: Database,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly audit: Audit,
    answers: Answers,
  ) {
    this.byId = database.finder(organizations);
    this.sites = answers.ask(OwnSites);
  }

  /** The organization with `id`. @throws NotFoundException when there is none. */
  async get(id: string): Promise<Organization> {
    const organization = await this.byId(id);
    if (!organization) throw new NotFoundException('Organization not found');
    return organization;
  }

  /**
   * The organization with `id` for showing what follows from its settings (a level that is inherited, an address).
   * Up to a second old when another process changed it: never decide about access with it.
   *
   * @throws NotFoundException when there is none.
   */
  async settings(id: string): Promise<Organization> {
    const known = this.recent.get(id);
    if (known) return known;
    const organization = await this.get(id);
    this.recent.set(id, organization);
    return organization;
  }

  /** Those of the organizations `ids` that are there, by id. One read. */
  async byIds(ids: readonly string[]): Promise<Map<string, Organization>> {
    const filter = { _id: { $in: [...new Set(ids)] } };
    const found = ids.length === 0 ? [] : await this.organizations.find(filter).lean<Organization[]>();
    return new Map(found.map((organization) => [organization._id, organization]));
  }

  /** Id of the organization that holds `hostname`, now or formerly; `null`: none does. */
  async holderOf(hostname: string): Promise<string | null> {
    const held = await this.hostnames.findById(hostname).lean<Hostname>();
    return held?.organization ?? null;
  }

  /** One page of the organizations that `user` belongs to, newest first, each with the membership. */
  async listOf(user: string, query: ListQuery): Promise<Page<{ organization: Organization; member: Member | null }>> {
    const members = await this.members.organizationsOf(user);
    const page = await findPage(this.organizations, { _id: { $in: [...members.keys()] } }, query, { list: { user } });
    const items = page.items.map((organization) => ({
      organization,
      member: members.get(organization._id) ?? null,
    }));
    return { ...page, items };
  }

  /**
   * The organizations that name `domain` and that `user` may know of: the own ones, and all of them for somebody whose
   * verified address is in the domain (decision 5.13). At most 1,000, newest first.
   */
  async forEmailDomain(domain: string, user: string): Promise<{ organization: Organization; member: Member | null }[]> {
    const members = await this.members.organizationsOf(user);
    const { email, emailVerified } = await this.users.get(user);
    const own = emailVerified && email.endsWith(`@${domain.toLowerCase()}`);
    const filter = { emailDomains: domain.toLowerCase(), ...(!own && { _id: { $in: [...members.keys()] } }) };
    const found = await this.organizations
      .find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .limit(1000)
      .lean<Organization[]>();
    return found.map((organization) => ({ organization, member: members.get(organization._id) ?? null }));
  }

  /** Makes an organization with `user` as its administrator and a hostname after its title. */
  async create(user: string, fields: CreateOrganizationDto): Promise<Organization> {
    for (let attempt = 1; ; attempt += 1) {
      const hostname = hostnameFor(fields.title, attempt);
      const id = newId();
      try {
        return await this.database.transaction(async () => {
          await this.hostnames.create([{ _id: hostname, organization: id }]);
          await this.organizations.create([{ ...fields, _id: id, hostname }]);
          await this.members.addMany(id, [{ user, role: 'admin' }]);
          const changes = madeWith({ title: fields.title, hostname });
          await this.audit.record({ organization: id, action: 'organization.create', id, changes });
          return this.get(id);
        });
      } catch (error) {
        if ((error as { code?: unknown }).code !== 11000 || attempt >= 100) throw error;
      }
    }
  }

  /**
   * Changes what `changes` names. A new hostname is taken and the former one kept (decision 3.40).
   *
   * @throws ConflictException when another organization holds the hostname, BadRequestException for a site that is
   * not of this organization.
   */
  async update(organization: Organization, changes: UpdateOrganizationDto): Promise<Organization> {
    const { defaultContent, ...fields } = changes;
    const set = { ...fields, ...(defaultContent !== undefined && { defaultSite: defaultContent?.site ?? null }) };
    if (Object.keys(set).length === 0) return organization;
    const { _id: id } = organization;
    const updated = await this.database.transaction(async () => {
      if (defaultContent && !(await this.sites().hold(id, defaultContent.site)))
        throw new BadRequestException('defaultContent.site must be a site of this organization');
      if (set.hostname !== undefined) await this.holdHostname(id, set.hostname);
      const before = await this.get(id);
      const after = await this.organizations
        .findByIdAndUpdate(id, { $set: { ...set }, $inc: { version: 1 } }, { returnDocument: 'after' })
        .lean<Organization>();
      if (!after) throw new NotFoundException('Organization not found');
      await this.audit.recordUpdate({ organization: id, action: 'organization.update', id }, [before, after], set);
      return after;
    });
    this.recent.set(updated._id, updated);
    return updated;
  }

  /**
   * Has the surrounding transaction meet every other one that makes an administrator of `id` none: of two at the same
   * moment, the second begins anew and sees what the first did.
   */
  async meetAdministratorChanges(id: string): Promise<void> {
    await this.organizations.updateOne({ _id: id }, { $inc: { administratorChanges: 1 } }, { timestamps: false });
  }

  /** Those of `ids` that demand single sign-on as soon as they can (decision 3.42). */
  async demandingSso(ids: readonly string[]): Promise<Organization[]> {
    return this.organizations.find({ _id: { $in: [...ids] }, sso: true }).lean<Organization[]>();
  }

  /** Has `organization` show no site first where it shows `site`; joins a surrounding transaction (decision 3.39). */
  async forgetSite(organization: string, site: string): Promise<void> {
    const filter = { _id: organization, defaultSite: site };
    const { matchedCount } = await this.organizations.updateOne(filter, {
      $set: { defaultSite: null },
      $inc: { version: 1 },
    });
    if (matchedCount > 0) this.recent.delete(organization);
  }

  private async holdHostname(organization: string, hostname: string): Promise<void> {
    const holder = await this.hostnames.findById(hostname).lean<Hostname>();
    if (holder && holder.organization !== organization) {
      throw new ConflictException(`hostname is taken: another organization holds "${hostname}"`);
    }
    if (!holder) await this.hostnames.create([{ _id: hostname, organization }]);
  }
}

/**
 * The hostname tried at the `attempt`-th time: the slug of the title, filled up to 3 characters, then numbered, and at
 * last with something random behind it: as many as want to may have the same title.
 */
function hostnameFor(title: string, attempt: number): string {
  const slug = toSlug(title).slice(0, HOSTNAME_LENGTH).replace(/-+$/, '');
  const base = slug.length < 3 ? `${slug}-docs` : slug;
  if (attempt === 1) return base;
  const suffix = `-${attempt <= NUMBERED ? String(attempt) : randomText(8).toLowerCase()}`;
  return base.slice(0, HOSTNAME_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
}
