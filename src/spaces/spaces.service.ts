import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type AuditAction, madeWith } from '../audit/index.js';
import { batchesOf } from '../common/batches-of.js';
import { newId } from '../common/ids.js';
import { mapPage, type Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import type { Role } from '../common/roles.js';
import { Database } from '../database/index.js';
import type { Member } from '../organizations/index.js';
import { RevisionsService } from '../revisions/index.js';
import type { Collection } from './collection.schema.js';
import type { CreateSpaceDto } from './dto/create-space.dto.js';
import type { UpdateSpaceDto } from './dto/update-space.dto.js';
import { CollectionsService } from './collections.service.js';
import type { DefaultLevel } from './grant.schema.js';
import { PlacesService } from './places.service.js';
import { effectiveRole, type Inheritance } from './space-role.js';
import { Space } from './space.schema.js';

/** How long a space can be brought back from the trash, in ms (decision 4.9). */
export const TRASH_PERIOD = 7 * 24 * 60 * 60 * 1000;

/** Ids that are looked up in one read. */
const BATCH = 1000;

/** What a search over many spaces needs of each. */
export type VisibleSpace = Pick<Space, '_id' | 'organization' | 'title' | 'revision'>;

/** A space in a list, with what the caller is in it. */
export interface ListedSpace {
  space: Space;
  /** The caller's effective role. */
  role: Role | null;
  /** The explicit level of the nearest collection above, or `inherit` when none has one. */
  level: DefaultLevel;
}

/** What is added to the numbers that a space shows of what stands in it. */
export type SpaceCounters = Partial<
  Record<'comments' | 'changeRequests' | 'changeRequestsOpen' | 'changeRequestsDraft', number>
>;

/** Spaces: their settings, and the pointer to their primary content. */
@Injectable()
export class SpacesService {
  private readonly byId: (id: string) => Promise<Space | null>;
  private readonly amongIds: (which: { ids: readonly string[]; organization: string }) => Promise<Space[]>;

  constructor(
    @InjectModel(Space.name) private readonly spaces: Model<Space>,
    private readonly revisions: RevisionsService,
    private readonly collections: CollectionsService,
    private readonly places: PlacesService,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {
    this.byId = database.finder(spaces);
    this.amongIds = database.shared(({ ids, ...where }) =>
      this.spaces.find({ _id: { $in: [...ids] }, ...where, deletedAt: null }).lean<Space[]>(),
    );
  }

  /** The space with `id`, in the trash or not; `null` when there is none or its time in the trash is over. */
  async find(id: string): Promise<Space | null> {
    const space = await this.byId(id);
    const over = space?.deletedAt && space.deletedAt.getTime() < Date.now() - TRASH_PERIOD;
    return over || space?.purging ? null : space;
  }

  /** The space with `id`. @throws NotFoundException as {@link find} answers `null`. */
  async get(id: string): Promise<Space> {
    const space = await this.find(id);
    if (!space) throw new NotFoundException('Space not found');
    return space;
  }

  /** The organization that has the space `id`, for what is recorded. @throws NotFoundException when it is gone. */
  async organizationOf(id: string): Promise<string> {
    const space = await this.spaces.findById(id, { organization: 1 }).lean<Pick<Space, 'organization'>>();
    if (!space) throw new NotFoundException('Space not found');
    return space.organization;
  }

  /** One page of the spaces of an organization that `member` can see, newest first, without those in the trash. */
  async list(organization: string, member: Member, query: ListQuery): Promise<Page<ListedSpace>> {
    const inheritance = await this.collections.inheritance(organization, member);
    const list = { organization, user: member.user };
    const filter = { organization, deletedAt: null, ...inheritance.spaces() };
    return mapPage(await findPage(this.spaces, filter, query, { list }), (space) => listed(space, member, inheritance));
  }

  /** One page of the spaces in a collection that `member` can see, in their order, without those in the trash. */
  async listIn(
    { _id: parent, organization }: Pick<Collection, '_id' | 'organization'>,
    { member, inheritance }: { member: Member; inheritance: Inheritance },
    query: ListQuery,
  ): Promise<Page<ListedSpace>> {
    const filter = { organization, parent, deletedAt: null, ...inheritance.spaces() };
    const options = { sort: 'order', text: true, list: { parent, user: member.user } } as const;
    const page = await findPage(this.spaces, filter, { ...query, order: 'asc' }, options);
    return mapPage(page, (space) => listed(space, member, inheritance));
  }

  /** Every space of an organization that `member` can see: id, title and revision, newest first. */
  async allVisible(organization: string, member: Member): Promise<VisibleSpace[]> {
    const inheritance = await this.collections.inheritance(organization, member);
    return this.spaces
      .find({ organization, deletedAt: null, ...inheritance.spaces() }, { organization: 1, title: 1, revision: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .lean<VisibleSpace[]>();
  }

  /**
   * Makes a space without pages; `user` gets an entry as its administrator.
   * @throws BadRequestException for a parent that is no collection of the organization.
   */
  async create(
    organization: string,
    user: string,
    { parent = null, title = 'Untitled', ...fields }: Omit<CreateSpaceDto, 'parent'> & { parent?: string | null },
  ): Promise<Space> {
    const id = newId();
    const { _id: revision } = await this.revisions.createFirst({ organization, space: id, author: user });
    const users = [{ subject: user, role: 'admin' as const, createdAt: new Date() }];
    const space = { ...fields, _id: id, organization, parent, title, users, revision, indexedRevision: revision };
    return this.insert(space, 'space.create');
  }

  /**
   * Writes a new space, at the end of its parent, and records it as `action`, with `from`, the id of what it is a copy of.
   * @throws BadRequestException when that is no collection of the organization.
   */
  async insert(
    space: Partial<Space> & Pick<Space, '_id' | 'organization' | 'parent' | 'title' | 'revision'>,
    action: AuditAction,
    from?: string,
  ): Promise<Space> {
    return this.places.change([space.organization], async () => {
      await this.collections.requireIn(space);
      const [made] = await this.spaces.create([{ ...space, order: await this.places.last(space) }]);
      if (!made) throw new Error('The space was not made');
      const { _id: id, organization, parent, title } = space;
      const changes = madeWith({ title, parent, ...(from !== undefined && { from }) });
      await this.audit.record({ organization, action, id, changes });
      return made.toObject<Space>();
    });
  }

  /** Changes what `changes` names; nothing, and no date moves. @throws NotFoundException when it is gone. */
  async update(space: Space, changes: UpdateSpaceDto): Promise<Space> {
    if (Object.keys(changes).length === 0) return space;
    return this.database.transaction(async () => {
      const before = await this.get(space._id);
      const updated = await this.spaces
        .findOneAndUpdate(
          { _id: space._id, deletedAt: null },
          { $set: { ...changes }, $inc: { version: 1 } },
          { returnDocument: 'after' },
        )
        .lean<Space>();
      if (!updated) throw new NotFoundException('Space not found');
      const { _id: id, organization } = updated;
      await this.audit.recordUpdate({ organization, action: 'space.update', id }, [before, updated], changes);
      return updated;
    });
  }

  /**
   * Moves the pointer to the primary content from the revision that `space` was read with to `to`; joins a surrounding
   * transaction.
   *
   * @param indexed Whether search and links are brought from that revision to `to` in the same transaction.
   * @returns `false` when somebody else moved it first, or, where `indexed`, wrote to the index of the space.
   */
  async moveRevision(space: Space, to: string, indexed: boolean): Promise<boolean> {
    const { _id, revision, indexedRevision, indexSteps } = space;
    return this.database.change(
      this.spaces,
      { _id, revision, indexedRevision, ...(indexed && { indexSteps }), deletedAt: null },
      { $set: { revision: to, updatedAt: new Date(), ...(indexed ? { indexedRevision: to } : { indexing: true }) } },
    );
  }

  /**
   * Notes that search and links of `space` are on the way to `revision`, so that nobody goes elsewhere before.
   *
   * @returns `false` when the index is no longer where it was when `space` was read, or on the way elsewhere.
   */
  async aimIndex(space: Space, revision: string): Promise<boolean> {
    const { matchedCount } = await this.spaces.updateOne(
      { _id: space._id, indexedRevision: space.indexedRevision, indexTarget: { $in: [null, revision] } },
      { $set: { indexTarget: revision } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  /**
   * Notes that search and links of `space` have come to `revision`; joins a surrounding transaction. The dates of the
   * space stay as they are.
   *
   * @returns `false` when the index of the space is no longer where it was when `space` was read.
   */
  async markIndexed(space: Space, revision: string): Promise<boolean> {
    const { matchedCount } = await this.spaces.updateOne(
      { _id: space._id, indexedRevision: space.indexedRevision },
      { $set: { indexedRevision: revision, indexTarget: null } },
      { timestamps: false },
    );
    await this.spaces.updateOne(
      { _id: space._id, revision, indexedRevision: revision },
      { $set: { indexing: false } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  /**
   * Holds on to where the index of `space` stands, within a surrounding transaction: whoever moves it meanwhile makes
   * that transaction fail.
   *
   * @returns `false` when the index is no longer where it was when `space` was read.
   */
  async touchIndex(space: Space): Promise<boolean> {
    const { matchedCount } = await this.spaces.updateOne(
      { _id: space._id, indexedRevision: space.indexedRevision, purging: { $ne: true } },
      { $inc: { indexSteps: 1 } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  /** The effective role of each of `members` in `space`, by user. Two reads at most. */
  async rolesOf(space: Space, members: readonly Member[]): Promise<Map<string, Role | null>> {
    const inherited = await this.collections.inheritedByEach(space.parent, members);
    return new Map(
      members.map((member) => [member.user, effectiveRole(space, member, inherited.get(member.user)?.role ?? null)]),
    );
  }

  /**
   * Adds `by` to what a space counts; joins a surrounding transaction. Its dates and its version stay as they are.
   *
   * @returns The space as it is now. @throws NotFoundException when it is gone, or in the trash.
   */
  async adjustCounters(id: string, by: SpaceCounters): Promise<Space> {
    const space = await this.spaces
      .findOneAndUpdate({ _id: id, deletedAt: null }, { $inc: by }, { returnDocument: 'after', timestamps: false })
      .lean<Space>();
    if (!space) throw new NotFoundException('Space not found');
    return space;
  }

  /** Sets what a space counts, where it was found to be wrong; joins a surrounding transaction. */
  async setCounters(id: string, counters: SpaceCounters): Promise<void> {
    await this.spaces.updateOne({ _id: id }, { $set: counters }, { timestamps: false });
  }

  /** Ids of up to `limit` spaces whose search and links are behind their primary content. */
  async behindOnIndexing(limit: number): Promise<string[]> {
    const found = await this.spaces
      .find({ indexing: true }, { _id: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>();
    return found.map(({ _id }) => _id);
  }

  /**
   * Those of the spaces `ids` that `organization` has, with what `viewer` (`null`: a stranger) is in them, seen or not;
   * without those in the trash. Two reads.
   */
  async listMany(organization: string, ids: readonly string[], viewer: Member | null): Promise<ListedSpace[]> {
    const found = await this.amongIds({ ids, organization });
    const inheritance = await this.collections.inheritance(organization, viewer);
    return found.map((space) => listed(space, viewer, inheritance));
  }

  /** Those of the spaces `ids` of `organization` in which `member` has a role, without those in the trash. A read for each 1000. */
  async visibleAmong(organization: string, ids: readonly string[], member: Member): Promise<string[]> {
    if (ids.length === 0) return [];
    const inheritance = await this.collections.inheritance(organization, member);
    const visible: string[] = [];
    for (const batch of batchesOf(ids, BATCH)) {
      const filter = { _id: { $in: batch }, organization, deletedAt: null, ...inheritance.spaces() };
      const found = await this.spaces.find(filter, { _id: 1 }).lean<{ _id: string }[]>();
      visible.push(...found.map(({ _id }) => _id));
    }
    return visible;
  }

  /** The primary content of those of the spaces `ids` that are not in the trash, with what they are called. One read. */
  async contentOf(ids: readonly string[]): Promise<VisibleSpace[]> {
    if (ids.length === 0) return [];
    return this.spaces
      .find({ _id: { $in: [...ids] }, deletedAt: null }, { organization: 1, title: 1, revision: 1 })
      .lean<VisibleSpace[]>();
  }

  /** Those of the spaces `ids` that belong to `organization`, trash included. */
  async ofOrganization(organization: string, ids: readonly string[]): Promise<string[]> {
    const found = await this.spaces
      .find({ _id: { $in: [...ids] }, organization }, { _id: 1 })
      .lean<{ _id: string }[]>();
    return found.map(({ _id }) => _id);
  }

  /**
   * Has those of the spaces `ids` that `organization` has, without those in the trash, stay so until the surrounding
   * transaction is over: whoever deletes one or gives it away meanwhile meets it.
   *
   * @returns How many they are.
   */
  async hold(organization: string, ids: readonly string[]): Promise<number> {
    const filter = { _id: { $in: [...ids] }, organization, deletedAt: null };
    return (await this.spaces.updateMany(filter, { $inc: { holds: 1 } }, { timestamps: false })).matchedCount;
  }

  /** Those of the spaces `ids` that are there, in the trash or not. */
  async existing(ids: readonly string[]): Promise<Set<string>> {
    const found = await this.spaces.find({ _id: { $in: [...ids] } }, { _id: 1 }).lean<{ _id: string }[]>();
    return new Set(found.map(({ _id }) => _id));
  }

  /**
   * Those of the spaces `ids` that somebody can see, by id: the holder of the memberships `members`, by organization.
   * Without those in the trash.
   */
  async visible(ids: readonly string[], members: ReadonlyMap<string, Member>): Promise<Map<string, ListedSpace>> {
    const found =
      ids.length === 0 ? [] : await this.spaces.find({ _id: { $in: [...ids] }, deletedAt: null }).lean<Space[]>();
    const seen = new Map<string, ListedSpace>();
    for (const organization of new Set(found.map((space) => space.organization))) {
      const member = members.get(organization);
      if (!member) continue;
      const inheritance = await this.collections.inheritance(organization, member);
      for (const space of found.filter((one) => one.organization === organization)) {
        const one = listed(space, member, inheritance);
        if (one.role !== null) seen.set(space._id, one);
      }
    }
    return seen;
  }

  /** Every space, the trash included, in batches in the order of their ids: for checks of the whole. */
  async *all(batch = 200): AsyncGenerator<Space> {
    for (let after = ''; ;) {
      const spaces = await this.spaces
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(batch)
        .lean<Space[]>();
      yield* spaces;
      const last = spaces.at(-1);
      if (!last || spaces.length < batch) return;
      after = last._id;
    }
  }
}

function listed(space: Space, member: Member | null, inheritance: Inheritance): ListedSpace {
  const { role, level } = inheritance.of(space.parent);
  return { space, role: effectiveRole(space, member, role), level };
}
