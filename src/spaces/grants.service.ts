import {
  BadRequestException,
  ConflictException,
  Injectable,
  NotFoundException,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type Change, type Changes, NAMED } from '../audit/index.js';
import { batchesOf } from '../common/batches-of.js';
import { DomainEvents } from '../common/domain-events.js';
import { KeyedLock } from '../common/keyed-lock.js';
import type { Page } from '../common/page.dto.js';
import { type ListQuery, listScope, pageOfDated } from '../common/pagination.js';
import type { Role } from '../common/roles.js';
import { Database } from '../database/index.js';
import { type Member, MembersService } from '../organizations/index.js';
import { TeamsService } from '../teams/index.js';
import { Collection } from './collection.schema.js';
import { CollectionsService } from './collections.service.js';
import { type Grant, MAX_GRANTS } from './grant.schema.js';
import { membersWith, roleAt } from './member-filter.js';
import type { Item } from './places.service.js';
import type { Levels } from './space-role.js';
import { Space } from './space.schema.js';

/** What of a space or a collection has to do with its entries. */
type Granted = Pick<Space, '_id' | 'organization' | 'parent' | 'defaultLevel' | 'users' | 'teams' | 'version'>;

/** A space or a collection whose entries are asked for or changed. */
export interface Place extends Granted {
  kind: Item['kind'];
}

/** Whose entries: those of people, or those of teams. */
export type Grantees = 'users' | 'teams';

/** Somebody with access, and what they may do. */
export interface Effective {
  member: Member;
  role: Role | null;
}

/** What an entry grants and to whom. */
interface NewGrants {
  /** Ids of people. */
  users?: readonly string[];
  /** Ids of teams. */
  teams?: readonly string[];
  /** `null`: an entry without access. */
  role: Role | null;
}

/** Entries of people and teams in spaces and collections (decision B.4). */
@Injectable()
export class GrantsService implements OnModuleInit {
  private readonly models: Record<Place['kind'], Model<Granted>>;
  private readonly lock = new KeyedLock();

  constructor(
    @InjectModel(Space.name) spaces: Model<Granted>,
    @InjectModel(Collection.name) collections: Model<Granted>,
    private readonly database: Database,
    private readonly events: DomainEvents,
    private readonly members: MembersService,
    private readonly teams: TeamsService,
    private readonly above: CollectionsService,
    private readonly audit: Audit,
  ) {
    this.models = { space: spaces, collection: collections };
  }

  /** Drops the entries of people who leave the organization, and those of teams that are deleted (decision 5.25). */
  onModuleInit(): void {
    this.events.on('member.removed', ({ organization, user }) => this.drop(organization, 'users', [user]));
    // a request that was under way when somebody left may have left an entry for what it made
    this.events.on('member.added', ({ organization, users }) => this.drop(organization, 'users', users));
    this.events.on('team.deleted', ({ organization, team }) => this.drop(organization, 'teams', [team]));
  }

  /** One page of the entries of a place, newest first. */
  list(place: Place, grantees: Grantees, query: ListQuery): Page<Grant> {
    const placeOf = ({ createdAt, subject }: Grant) => ({ at: createdAt.getTime(), id: subject });
    return pageOfDated(place[grantees], placeOf, listScope('grants', place._id, grantees), query);
  }

  /**
   * One page of everyone with an effective role in a place, those who joined the organization last first; `role`: only
   * those with exactly that one. Four queries, however many people and levels there are.
   */
  async everyone(place: Place, { role, ...query }: ListQuery & { role?: Role }): Promise<Page<Effective>> {
    const levels: Levels[] = [place, ...(await this.above.chain(place.parent))];
    const list = { place: place._id, role };
    const page = await this.members.listWhere(place.organization, membersWith(levels, role), query, list);
    return { ...page, items: page.items.map((member) => ({ member, role: roleAt(levels, member) })) };
  }

  /**
   * Gives people and teams an entry; who has one already has the other role from now on.
   * @throws BadRequestException for who does not belong to the organization, and for nobody; ConflictException when there are as many
   * entries as there may be.
   */
  async put(place: Pick<Place, 'kind' | '_id'>, { users = [], teams = [], role }: NewGrants): Promise<void> {
    if (users.length + teams.length === 0) throw new BadRequestException('The body must name users, teams or both');
    await this.change(place, async (granted) => {
      const { organization } = granted;
      // held, so that nobody goes who would leave the new entry behind
      if (users.length > 0) checkAll('users', users, await this.members.hold(organization, users));
      if (teams.length > 0) checkAll('teams', teams, await this.teams.hold(organization, teams));
      return { users: withRole(granted.users, users, role), teams: withRole(granted.teams, teams, role) };
    });
  }

  /** Changes the role of an entry; none given, nothing. @throws NotFoundException when there is no such entry. */
  async update(place: Place, grantees: Grantees, subject: string, role?: Role | null): Promise<void> {
    await this.change(place, (granted) => {
      requireEntry(granted, grantees, subject);
      return role === undefined ? {} : { [grantees]: withRole(granted[grantees], [subject], role) };
    });
  }

  /** Removes an entry: what comes from elsewhere decides from now on. @throws NotFoundException when there is no such entry. */
  async remove(place: Place, grantees: Grantees, subject: string): Promise<void> {
    await this.change(place, (granted) => {
      requireEntry(granted, grantees, subject);
      return { [grantees]: granted[grantees].filter((grant) => grant.subject !== subject) };
    });
  }

  /** Every space and collection, in batches in the order of their ids: for checks of the whole. */
  async *all(batch = 200): AsyncGenerator<Place> {
    for (const kind of ['space', 'collection'] as const) {
      for (let after = ''; ;) {
        const found = await this.models[kind]
          .find(
            { _id: { $gt: after } },
            { organization: 1, parent: 1, defaultLevel: 1, users: 1, teams: 1, version: 1 },
          )
          .sort({ _id: 1 })
          .limit(batch)
          .lean<Granted[]>();
        for (const granted of found) yield { ...granted, kind };
        const last = found.at(-1);
        if (!last || found.length < batch) break;
        after = last._id;
      }
    }
  }

  /** Drops the entries of `users` and `teams` in a place, where they were found to be nobody's. */
  async forget({ kind, _id }: Place, users: readonly string[], teams: readonly string[]): Promise<void> {
    await this.models[kind].updateOne(
      { _id },
      {
        $pull: { users: { subject: { $in: [...users] } }, teams: { subject: { $in: [...teams] } } },
        $inc: { version: 1 },
      },
      { timestamps: false },
    );
  }

  /**
   * Writes the entries that `next` makes of the present ones. Of two changes at once, one comes after the other: they
   * write to the same record, and what was read is compared by its version where there are no transactions.
   */
  private change(
    { kind, _id }: Pick<Place, 'kind' | '_id'>,
    next: (granted: Granted) => Partial<Pick<Granted, Grantees>> | Promise<Partial<Pick<Granted, Grantees>>>,
  ): Promise<void> {
    return this.lock.run(_id, () =>
      this.database.transaction(async () => {
        const granted = await this.models[kind].findOne({ _id, deletedAt: null }).lean<Granted>();
        if (!granted) throw new NotFoundException(kind === 'space' ? 'Space not found' : 'Collection not found');
        const { users = granted.users, teams = granted.teams } = await next(granted);
        if (users === granted.users && teams === granted.teams) return;
        const { matchedCount } = await this.models[kind].updateOne(
          { _id, version: granted.version, deletedAt: null },
          { $set: { users, teams }, $inc: { version: 1 } },
        );
        if (matchedCount === 0) throw new ConflictException('Somebody else changed this at the same moment; try again');
        const { organization } = granted;
        const done = { organization, action: `${kind}.grant`, id: _id } as const;
        await this.audit.record(...changesOf(granted, { users, teams }).map((changes) => ({ ...done, changes })));
      }),
    );
  }

  /** Drops all entries of some people or teams in an organization; joins a surrounding transaction. */
  private async drop(organization: string, grantees: Grantees, subjects: readonly string[]): Promise<void> {
    const subject = { $in: [...subjects] };
    for (const model of Object.values(this.models)) {
      await model.updateMany(
        { organization, [`${grantees}.subject`]: subject },
        { $pull: { [grantees]: { subject } }, $inc: { version: 1 } },
        { timestamps: false },
      );
    }
  }
}

/** @throws BadRequestException for the first of `named` that is not among `known`. */
function checkAll(property: Grantees, named: readonly string[], known: ReadonlySet<string>): void {
  const unknown = named.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const what = property === 'users' ? 'who is no member' : 'which is no team';
  throw new BadRequestException(`${property} names "${unknown.slice(0, 64)}", ${what} of this organization`);
}

/** The entries that differ, those of people before those of teams, in parts that an event can hold. */
function changesOf(before: Pick<Granted, Grantees>, after: Pick<Granted, Grantees>): Changes[] {
  const [users, teams] = [differing(before.users, after.users), differing(before.teams, after.teams)];
  const parts = Math.max(users.length, teams.length);
  return Array.from({ length: parts }, (_, part) => ({
    ...(users[part] && { users: users[part] }),
    ...(teams[part] && { teams: teams[part] }),
  }));
}

/** Whom entries are for that differ, with what they granted and grant; some at a time. */
function differing(before: readonly Grant[], after: readonly Grant[]): Change[] {
  const [was, is] = [before, after].map((grants) => new Map(grants.map(({ subject, role }) => [subject, role])));
  const subjects = [...new Set([...before, ...after].map(({ subject }) => subject))];
  const changed = subjects.filter((subject) => was?.get(subject) !== is?.get(subject));
  const among = (part: readonly string[], roles?: ReadonlyMap<string, Role | null>) =>
    part.flatMap((id) => (roles?.has(id) ? [{ id, role: roles.get(id) ?? null }] : []));
  return [...batchesOf(changed, NAMED)].map((part) => ({ before: among(part, was), after: among(part, is) }));
}

/** @throws NotFoundException when `subject` has no entry. */
function requireEntry(granted: Granted, grantees: Grantees, subject: string): void {
  if (!granted[grantees].some((grant) => grant.subject === subject))
    throw new NotFoundException('Permission not found');
}

/**
 * `grants`, where each of `subjects` has `role`; the same array when they all have it already.
 * @throws ConflictException when these are too many.
 */
function withRole(grants: Grant[], subjects: readonly string[], role: Role | null): Grant[] {
  const present = new Map(grants.map((grant) => [grant.subject, grant]));
  const changed = new Set(subjects.filter((subject) => present.get(subject)?.role !== role));
  if (changed.size === 0) return grants;
  const createdAt = new Date();
  for (const subject of changed) present.set(subject, { createdAt, ...present.get(subject), subject, role });
  if (present.size > MAX_GRANTS) {
    throw new ConflictException(`There are at most ${String(MAX_GRANTS)} entries of people, and as many of teams`);
  }
  return [...present.values()];
}
