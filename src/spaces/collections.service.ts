import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, changesBetween, madeWith, removedWith } from '../audit/index.js';
import { isId, newId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { atLeast, type Role } from '../common/roles.js';
import { Database } from '../database/index.js';
import type { Member } from '../organizations/index.js';
import { Collection, MAX_COLLECTIONS, MAX_NESTING } from './collection.schema.js';
import type { CreateCollectionDto } from './dto/create-collection.dto.js';
import type { UpdateCollectionDto } from './dto/update-collection.dto.js';
import type { DefaultLevel } from './grant.schema.js';
import { PlacesService, type Position } from './places.service.js';
import { atRoot, Inheritance, type Inherited, type LevelsAbove } from './space-role.js';

/** What {@link LevelsAbove} needs of a record. */
const LEVELS = { parent: 1, defaultLevel: 1, users: 1, teams: 1 };

/** Where something is to go. */
export interface Move {
  /** The collection to stand in, `null` for the root; absent: the present one. */
  parent?: string | null;
  position?: Position;
}

/** Collections: containers of spaces and of each other. */
@Injectable()
export class CollectionsService {
  private readonly byId: (id: string) => Promise<Collection | null>;
  private readonly levels: (of: {
    organization: string;
    user: string | null;
    teams: string[];
  }) => Promise<LevelsAbove[]>;

  constructor(
    @InjectModel(Collection.name) private readonly collections: Model<Collection>,
    private readonly places: PlacesService,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {
    this.byId = database.finder(collections);
    this.levels = database.shared(({ organization, user, teams }) => this.levelsFor(organization, user, teams));
  }

  /** The collection with `id`, or `null`. */
  async find(id: string): Promise<Collection | null> {
    return this.byId(id);
  }

  /** The collection with `id`. @throws NotFoundException when there is none. */
  async get(id: string): Promise<Collection> {
    const collection = await this.find(id);
    if (!collection) throw new NotFoundException('Collection not found');
    return collection;
  }

  /** Those of the collections `ids` that the holder of `members`, by organization, can see, by id, with the role there. */
  async visible(
    ids: readonly string[],
    members: ReadonlyMap<string, Member>,
  ): Promise<Map<string, { collection: Collection; role: Role | null; level: DefaultLevel }>> {
    const found = ids.length === 0 ? [] : await this.collections.find({ _id: { $in: [...ids] } }).lean<Collection[]>();
    const seen = new Map<string, { collection: Collection; role: Role | null; level: DefaultLevel }>();
    for (const organization of new Set(found.map((one) => one.organization))) {
      const member = members.get(organization);
      if (!member) continue;
      const inheritance = await this.inheritance(organization, member);
      for (const collection of found.filter((one) => one.organization === organization)) {
        const { role } = inheritance.of(collection._id);
        if (role !== null)
          seen.set(collection._id, { collection, role, level: inheritance.of(collection.parent).level });
      }
    }
    return seen;
  }

  /** What comes down to what stands in `parent`, for `member`. No read at the root, else at most two. */
  async inherited(parent: string | null, member: Member | null): Promise<Inherited> {
    if (parent === null) return atRoot(member);
    const collection = await this.find(parent);
    return collection ? (await this.inheritanceFrom(collection, member)).of(parent) : atRoot(member);
  }

  /** What comes down from `collection` and those above it, for `member`. At most one read. */
  async inheritanceFrom(collection: Collection, member: Member | null): Promise<Inheritance> {
    return new Inheritance(member, [...(await this.above(collection)), collection]);
  }

  /** What comes down to what stands in `parent`, for each of `members`, by user. Two reads at most. */
  async inheritedByEach(parent: string | null, members: readonly Member[]): Promise<Map<string, Inherited>> {
    const above = await this.chain(parent);
    return new Map(members.map((member) => [member.user, new Inheritance(member, above).of(parent)]));
  }

  /** `parent` and the collections above it, the nearest first, up to one that is gone. Two reads at most. */
  async chain(parent: string | null): Promise<LevelsAbove[]> {
    const collection = parent === null ? null : await this.find(parent);
    if (!collection) return [];
    const above = new Map((await this.above(collection)).map((one) => [one._id, one]));
    const chain: LevelsAbove[] = [collection];
    for (let { parent: next } = collection; next !== null;) {
      const found = above.get(next);
      if (!found) break;
      chain.push(found);
      next = found.parent;
    }
    return chain;
  }

  /** What every collection of an organization says of access, for each of `members`, by user. One read. */
  async inheritanceOfEach(organization: string, members: readonly Member[]): Promise<Map<string, Inheritance>> {
    const collections = await this.collections.find({ organization }, LEVELS).lean<LevelsAbove[]>();
    return new Map(members.map((member) => [member.user, new Inheritance(member, collections)]));
  }

  /** What comes down from every collection of an organization, for `member`. One read, of their entries for the member only. */
  async inheritance(organization: string, member: Member | null): Promise<Inheritance> {
    const teams = member?.teams.map(({ team }) => team) ?? [];
    return new Inheritance(member, await this.levels({ organization, user: member?.user ?? null, teams }));
  }

  private async levelsFor(organization: string, user: string | null, teams: string[]): Promise<LevelsAbove[]> {
    const own = (field: string, wanted: unknown) => ({
      $filter: { input: field, cond: wanted },
    });
    return this.collections.aggregate<LevelsAbove>([
      { $match: { organization } },
      {
        $project: {
          parent: 1,
          defaultLevel: 1,
          users: own('$users', { $eq: ['$$this.subject', user] }),
          teams: own('$teams', { $in: ['$$this.subject', teams] }),
        },
      },
    ]);
  }

  /** One page of the collections that `inheritance` lets its member see, newest first; `nested`: those within others too. */
  list(
    { organization, user }: Pick<Member, 'organization' | 'user'>,
    inheritance: Inheritance,
    { nested = true, ...query }: ListQuery & { nested?: boolean },
  ): Promise<Page<Collection>> {
    const filter = { organization, _id: { $in: inheritance.visible() }, ...(!nested && { parent: null }) };
    return findPage(this.collections, filter, query, { list: { organization, user, nested } });
  }

  /**
   * Refuses a collection that `member` may put nothing into.
   * @throws BadRequestException for one that is not there, or not to be seen; ForbiddenException without `create` in it.
   */
  async requireParent(parent: string, member: Member | null): Promise<void> {
    const collection = isId(parent) ? await this.find(parent) : null;
    const known = collection !== null && collection.organization === member?.organization;
    const role = known ? (await this.inheritanceFrom(collection, member)).of(collection._id).role : null;
    if (role === null) throw new BadRequestException('parent must be the id of a collection of this organization');
    if (!atLeast(role, 'create'))
      throw new ForbiddenException('You may see the collection "parent", but you lack the permission "create" on it');
  }

  /**
   * Makes a collection; `user` gets an entry as its administrator.
   * @throws ConflictException when the organization has as many as there may be, BadRequestException for a parent that
   * is gone or too deep.
   */
  async create(
    organization: string,
    user: string,
    { title = 'Untitled', parent = null }: Omit<CreateCollectionDto, 'parent'> & { parent?: string | null },
  ): Promise<Collection> {
    return this.places.change([organization], async () => {
      if ((await this.collections.countDocuments({ organization })) >= MAX_COLLECTIONS)
        throw new ConflictException(`An organization holds at most ${String(MAX_COLLECTIONS)} collections`);
      const path = await this.pathBelow({ organization, parent });
      checkDepth(path.length + 1);
      const users = [{ subject: user, role: 'admin' as const, createdAt: new Date() }];
      const order = await this.places.last({ organization, parent });
      const [made] = await this.collections.create([{ _id: newId(), organization, parent, path, order, title, users }]);
      if (!made) throw new Error('The collection was not made');
      const changes = madeWith({ title, parent });
      await this.audit.record({ organization, action: 'collection.create', id: made._id, changes });
      return made.toObject<Collection>();
    });
  }

  /** Changes what `changes` names; nothing, and no date moves. @throws NotFoundException when it is gone. */
  async update(collection: Collection, changes: UpdateCollectionDto): Promise<Collection> {
    if (Object.keys(changes).length === 0) return collection;
    const { _id: id, organization } = collection;
    return this.database.transaction(async () => {
      const before = await this.get(id);
      const updated = await this.set(id, changes);
      await this.audit.recordUpdate({ organization, action: 'collection.update', id }, [before, updated], changes);
      return updated;
    });
  }

  /**
   * Moves a collection with all in it; `member` names the position.
   * @throws BadRequestException for a parent that is gone, itself or within it, for one too deep, and for an impossible
   * position.
   */
  async move(
    { _id, organization }: Collection,
    member: Member | null,
    { parent: to, position = {} }: Move,
  ): Promise<Collection> {
    return this.places.change([organization], async () => {
      const collection = await this.get(_id);
      const parent = to === undefined ? collection.parent : to;
      const path = await this.pathBelow({ organization, parent });
      if (path.includes(_id)) throw new BadRequestException('parent must not be the collection itself, or within it');
      const viewer = { member, inherited: await this.inherited(parent, member) };
      const order = await this.places.at({ organization, parent }, position, { kind: 'collection', id: _id }, viewer);
      if (parent !== collection.parent) await this.replacePaths(collection, path);
      const moved = await this.set(_id, { parent, path, order });
      const changes = changesBetween(collection, moved, ['parent']);
      const isElsewhere = parent !== collection.parent || order !== collection.order;
      if (isElsewhere) await this.audit.record({ organization, action: 'collection.move', id: _id, changes });
      return moved;
    });
  }

  /** Removes a collection for good. What stands in it takes its place. @throws NotFoundException when it is gone. */
  async remove({ _id, organization }: Collection): Promise<void> {
    await this.places.change([organization], async () => {
      const collection = await this.get(_id);
      await this.places.empty(collection);
      await this.replacePaths(collection, collection.path, false);
      await this.collections.deleteOne({ _id });
      const changes = removedWith({ title: collection.title });
      await this.audit.record({ organization, action: 'collection.delete', id: _id, changes });
    });
  }

  /** The collections above one, in no order. */
  private async above({ path }: Pick<Collection, 'path'>): Promise<LevelsAbove[]> {
    if (path.length === 0) return [];
    return this.collections.find({ _id: { $in: path } }, LEVELS).lean<LevelsAbove[]>();
  }

  private async set(id: string, fields: Partial<Collection>): Promise<Collection> {
    const updated = await this.collections
      .findOneAndUpdate({ _id: id }, { $set: { ...fields }, $inc: { version: 1 } }, { returnDocument: 'after' })
      .lean<Collection>();
    if (!updated) throw new NotFoundException('Collection not found');
    return updated;
  }

  /** Holds on to the parent of something that is put there. @throws BadRequestException when that is gone. */
  async requireIn(placed: Pick<Collection, 'organization' | 'parent'>): Promise<void> {
    await this.pathBelow(placed);
  }

  /** The path of what stands in `parent`. @throws BadRequestException when that is gone. */
  private async pathBelow({ organization, parent }: Pick<Collection, 'organization' | 'parent'>): Promise<string[]> {
    if (parent === null) return [];
    const found = await this.find(parent);
    if (found?.organization !== organization)
      throw new BadRequestException('parent must be the id of a collection of this organization');
    return [...found.path, parent];
  }

  /** Gives what stands below `collection` the path that follows from its new one. @throws BadRequestException when too deep. */
  private async replacePaths({ _id, path: old }: Collection, path: string[], stays = true): Promise<void> {
    const found = await this.collections.find({ path: _id }, { path: 1 }).lean<Pick<Collection, '_id' | 'path'>[]>();
    const replaced = found.map((one) => ({
      _id: one._id,
      path: [...path, ...(stays ? [_id] : []), ...one.path.slice(old.length + 1)],
    }));
    if (stays) checkDepth(Math.max(path.length, ...replaced.map((one) => one.path.length)) + 1);
    if (replaced.length === 0) return;
    const operations = replaced.map((one) => ({
      updateOne: { filter: { _id: one._id }, update: { $set: { path: one.path } } },
    }));
    await this.collections.bulkWrite(operations, { timestamps: false });
  }
}

/** @throws BadRequestException when collections would stand in each other more than ten deep (decision B.4). */
function checkDepth(depth: number): void {
  if (depth > MAX_NESTING)
    throw new BadRequestException(`Collections stand in each other at most ${String(MAX_NESTING)} deep`);
}
