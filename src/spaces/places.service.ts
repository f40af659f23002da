import { BadRequestException, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Carried } from '../common/carried.js';
import { KeyedLock } from '../common/keyed-lock.js';
import { freshOrderKeys, MAX_ORDER_KEY, orderKeysBetween } from '../common/order-keys.js';
import { Database } from '../database/index.js';
import type { Member } from '../organizations/index.js';
import { Collection, Structure } from './collection.schema.js';
import { effectiveRole, type Inherited, type Levels } from './space-role.js';
import { Space } from './space.schema.js';

/** Whose content it is, and the collection in it or `null` for the root. */
export interface Container {
  organization: string;
  parent: string | null;
}

/** A space or a collection, as an anchor of a move names it. */
export interface Item {
  kind: 'space' | 'collection';
  id: string;
}

/** Between which neighbours something is to stand; at the end when neither is given. */
export interface Position {
  before?: Item;
  after?: Item;
}

/** Who names anchors: nobody is told that there is something that they cannot see. */
export interface Viewer {
  member: Member | null;
  /** What comes down to what stands in the container. */
  inherited: Pick<Inherited, 'role'>;
}

/** Something that has a place, the trash included: what comes back from it finds its place free. */
interface Placed {
  _id: string;
  order: string;
  kind: Item['kind'];
  inTrash: boolean;
}

type PlacedSpace = Pick<Space, '_id' | 'order' | 'deletedAt'>;
type PlacedCollection = Pick<Collection, '_id' | 'order'>;

/** What of an anchor tells where it stands, and who sees it. */
const ANCHOR = { order: 1, defaultLevel: 1, users: 1, teams: 1 };

/** The places of spaces and collections: those with the same parent share one order. */
@Injectable()
export class PlacesService {
  private readonly lock = new KeyedLock();
  /** The organizations whose places the work that is under way may change. */
  private readonly held = new Carried<ReadonlySet<string>>();

  constructor(
    @InjectModel(Space.name) private readonly spaces: Model<Space>,
    @InjectModel(Collection.name) private readonly collections: Model<Collection>,
    @InjectModel(Structure.name) private readonly structures: Model<Structure>,
    private readonly database: Database,
  ) {}

  /**
   * Does `work` in a transaction in which nobody else changes the places in `organizations`; within such `work` for the same ones it
   * joins that.
   */
  async change<T>(organizations: readonly string[], work: () => Promise<T>): Promise<T> {
    const held = this.held.get();
    if (this.database.inTransaction && organizations.every((one) => held?.has(one))) return work();
    return this.held.run(new Set(organizations), () => this.inLine(organizations, work));
  }

  /** The key of the last place in `container`; within {@link change}. */
  async last(container: Container): Promise<string> {
    return this.between(container, await this.lastKey(container), null);
  }

  /**
   * The key of the place that `position` names in `container`, for `item`; within {@link change}.
   * @throws BadRequestException for an anchor that is not there for `viewer`, and for an impossible position
   * (decisions 1.23 and 5.A).
   */
  async at(container: Container, { before, after }: Position, item: Item, viewer: Viewer): Promise<string> {
    if (!before && !after) return this.last(container);
    const next = before && (await this.anchor(container, before, { item, name: 'before', viewer }));
    const previous = after && (await this.anchor(container, after, { item, name: 'after', viewer }));
    if (previous && next && compare(previous, next) >= 0)
      throw new BadRequestException('position.after must stand before position.before');
    if (previous) return this.between(container, previous.order, await this.neighbour(container, previous, item, 1));
    return this.between(container, next ? await this.neighbour(container, next, item, -1) : null, next?.order ?? null);
  }

  /**
   * Has everything that stands in `collection` take its place, in its order, the trash aside; within {@link change}.
   * The collection itself is still there.
   */
  async empty(collection: Collection): Promise<void> {
    const { organization, _id, parent } = collection;
    const inside = (await this.all({ organization, parent: _id })).filter(({ inTrash }) => !inTrash);
    const next = await this.neighbour({ organization, parent }, collection, undefined, 1);
    const keys = orderKeysBetween(collection.order, next, inside.length);
    await this.write(
      inside.map((item, index) => ({ ...item, order: keys[index] ?? '' })),
      { parent },
    );
    if (keys.some((key) => key.length > MAX_ORDER_KEY)) await this.respace({ organization, parent });
  }

  /** The key between two neighbours; where it would become too long, all of them get fresh ones. */
  private async between(container: Container, before: string | null, after: string | null): Promise<string> {
    const [key = ''] = orderKeysBetween(before, after, 1);
    if (key.length <= MAX_ORDER_KEY) return key;
    const fresh = await this.respace(container);
    const renamed = (old: string | null): string | null => (old === null ? null : (fresh.get(old) ?? null));
    return orderKeysBetween(renamed(before), renamed(after), 1)[0] ?? '';
  }

  private async inLine<T>(organizations: readonly string[], work: () => Promise<T>): Promise<T> {
    // always in the same order, so that two that want the same ones never wait for each other
    const [next, ...rest] = [...new Set(organizations)].sort();
    if (next === undefined) return this.database.transaction(work);
    return this.lock.run(next, () =>
      this.inLine(rest, async () => {
        await this.structures.updateOne({ _id: next }, { $inc: { changes: 1 } }, { upsert: true });
        return work();
      }),
    );
  }

  private async anchor(
    container: Container,
    { kind, id }: Item,
    { item, name, viewer }: { item: Item; name: string; viewer: Viewer },
  ): Promise<Placed> {
    const filter = { _id: id, organization: container.organization, parent: container.parent };
    const found =
      kind === 'space'
        ? await this.spaces.findOne({ ...filter, deletedAt: null }, ANCHOR).lean<PlacedSpace & Levels>()
        : await this.collections.findOne(filter, ANCHOR).lean<PlacedCollection & Levels>();
    if (!found || id === item.id || effectiveRole(found, viewer.member, viewer.inherited.role) === null)
      throw new BadRequestException(`position.${name} must be another space or collection in the same parent`);
    return { _id: found._id, order: found.order, kind, inTrash: false };
  }

  /** The key next to `placed` in one direction, that of `item` left out; `null` at the end. */
  private async neighbour(
    { organization, parent }: Container,
    placed: Pick<Placed, 'order'>,
    item: Item | undefined,
    direction: 1 | -1,
  ): Promise<string | null> {
    const filter = {
      organization,
      parent,
      order: direction === 1 ? { $gt: placed.order } : { $lt: placed.order },
      ...(item && { _id: { $ne: item.id } }),
    };
    const sort = { order: direction, _id: direction } as const;
    const [space, collection] = [
      await this.spaces.findOne(filter, { order: 1 }).sort(sort).lean<PlacedSpace>(),
      await this.collections.findOne(filter, { order: 1 }).sort(sort).lean<PlacedCollection>(),
    ];
    const keys = [space, collection].flatMap((one) => one?.order ?? []).sort();
    return (direction === 1 ? keys[0] : keys.at(-1)) ?? null;
  }

  private async lastKey({ organization, parent }: Container): Promise<string | null> {
    return this.neighbour({ organization, parent }, { order: '\uffff' }, undefined, -1);
  }

  /** Gives all that stands in `container` fresh keys, in its order. @returns the new keys by the old ones. */
  private async respace(container: Container): Promise<Map<string, string>> {
    const items = await this.all(container);
    const keys = freshOrderKeys(items.length);
    const placed = items.map((item, index) => ({ ...item, order: keys[index] ?? '' }));
    await this.write(placed, { parent: container.parent });
    return new Map(items.map(({ order }, index) => [order, keys[index] ?? '']));
  }

  private async all({ organization, parent }: Container): Promise<Placed[]> {
    const filter = { organization, parent };
    const spaces = await this.spaces.find(filter, { order: 1, deletedAt: 1 }).lean<PlacedSpace[]>();
    const collections = await this.collections.find(filter, { order: 1 }).lean<PlacedCollection[]>();
    return [
      ...spaces.map(({ _id, order, deletedAt }) => ({
        _id,
        order,
        kind: 'space' as const,
        inTrash: deletedAt !== null,
      })),
      ...collections.map(({ _id, order }) => ({ _id, order, kind: 'collection' as const, inTrash: false })),
    ].sort(compare);
  }

  private async write(items: readonly Placed[], { parent }: { parent: string | null }): Promise<void> {
    const operations = (kind: Item['kind']) =>
      items
        .filter((item) => item.kind === kind)
        .map(({ _id, order }) => ({ updateOne: { filter: { _id }, update: { $set: { order, parent } } } }));
    const [spaces, collections] = [operations('space'), operations('collection')];
    if (spaces.length > 0) await this.spaces.bulkWrite(spaces, { timestamps: false });
    if (collections.length > 0) await this.collections.bulkWrite(collections, { timestamps: false });
  }
}

function compare(one: Placed, other: Placed): number {
  if (one.order !== other.order) return one.order < other.order ? -1 : 1;
  return one._id < other._id ? -1 : 1;
}
