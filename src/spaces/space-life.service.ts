import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, changesBetween, removedWith } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { isId, newId } from '../common/ids.js';
import { atLeast } from '../common/roles.js';
import { Database } from '../database/index.js';
import { type Member, MembersService, organizationPermissions } from '../organizations/index.js';
import { RevisionsService } from '../revisions/index.js';
import { CollectionsService, type Move } from './collections.service.js';
import { PlacesService } from './places.service.js';
import { effectiveRole, type Inherited } from './space-role.js';
import { Space } from './space.schema.js';
import { SpacesService } from './spaces.service.js';

/** Longest title of a space (decision 3.30). */
const MAX_TITLE = 50;

/** What becomes of a whole space: trash, copies, and where it stands and belongs. */
@Injectable()
export class SpaceLifeService {
  constructor(
    @InjectModel(Space.name) private readonly models: Model<Space>,
    private readonly database: Database,
    private readonly events: DomainEvents,
    private readonly spaces: SpacesService,
    private readonly collections: CollectionsService,
    private readonly places: PlacesService,
    private readonly members: MembersService,
    private readonly revisions: RevisionsService,
    private readonly audit: Audit,
  ) {}

  /** Puts a space into the trash. @throws NotFoundException when it is there already. */
  async remove({ _id: space, organization }: Space): Promise<void> {
    await this.database.transaction(async () => {
      const { title } = await this.set(space, { deletedAt: new Date() });
      await this.events.emit('space.deleted', { space, organization });
      await this.audit.record({ organization, action: 'space.delete', id: space, changes: removedWith({ title }) });
    });
  }

  /**
   * Takes a space out of the trash; it returns to its place, or to the end of the root when its collection is gone.
   * @throws ConflictException when it is not in the trash, NotFoundException when its time there is over.
   */
  async restore({ _id, organization }: Space): Promise<Space> {
    return this.places.change([organization], async () => {
      const space = await this.spaces.get(_id);
      if (!space.deletedAt) throw new ConflictException('The space is not in the trash');
      const stays = space.parent === null || (await this.collections.find(space.parent)) !== null;
      const place = stays ? {} : { parent: null, order: await this.places.last({ organization, parent: null }) };
      const restored = await this.set(_id, { deletedAt: null, ...place }, { deletedAt: { $ne: null } });
      await this.events.emit('space.restored', { space: _id, organization });
      const changes = changesBetween(space, restored, ['parent']);
      await this.audit.record({ organization, action: 'space.restore', id: _id, changes });
      return restored;
    });
  }

  /**
   * Makes a copy of what `space` holds now, beside it (decision 5.30). It copies a key, whatever the size; search in
   * the copy follows later. `user`, who is `member`, gets an entry where the role there would be below `create`.
   */
  async duplicate(
    space: Space,
    user: string,
    { member, inherited }: { member: Member | null; inherited: Pick<Inherited, 'role'> },
  ): Promise<Space> {
    const { organization, parent, emoji, editMode, defaultLevel } = space;
    const base = await this.revisions.get(space.revision);
    const id = newId();
    const { _id: revision } = await this.revisions.commit({
      organization,
      space: id,
      type: 'edits',
      parents: [],
      root: base.root,
      author: user,
    });
    const inheriting = effectiveRole({ defaultLevel, users: [], teams: [] }, member, inherited.role);
    const fields = {
      _id: id,
      organization,
      parent,
      title: [...`Copy of ${space.title}`].slice(0, MAX_TITLE).join(''),
      emoji,
      editMode,
      defaultLevel,
      users: atLeast(inheriting, 'create') ? [] : [{ subject: user, role: 'create' as const, createdAt: new Date() }],
      revision,
      indexedRevision: null,
      indexing: true,
    };
    return this.places.change([organization], async () => {
      const copy = await this.spaces.insert(fields, 'space.duplicate', space._id);
      await this.events.emit('space.duplicated', { space: id, organization });
      return copy;
    });
  }

  /**
   * Moves a space within its organization (decision 5.31).
   * @throws BadRequestException for a parent that is gone and an impossible position, ForbiddenException for a new
   * parent in which `member` lacks `create`.
   */
  async move(
    { _id, organization, parent: from }: Space,
    member: Member | null,
    { parent: to, position = {} }: Move,
  ): Promise<Space> {
    if (to !== undefined && to !== null && to !== from) await this.collections.requireParent(to, member);
    return this.places.change([organization], async () => {
      const space = await this.spaces.get(_id);
      const parent = to === undefined ? space.parent : to;
      await this.collections.requireIn({ organization, parent });
      const viewer = { member, inherited: await this.collections.inherited(parent, member) };
      const order = await this.places.at({ organization, parent }, position, { kind: 'space', id: _id }, viewer);
      const moved = await this.set(_id, { parent, order });
      const changes = changesBetween(space, moved, ['parent']);
      const isElsewhere = parent !== space.parent || order !== space.order;
      if (isElsewhere) await this.audit.record({ organization, action: 'space.move', id: _id, changes });
      return moved;
    });
  }

  /**
   * Gives a space to another organization, where it stands at the end of the root. Entries of people who do not belong
   * there are dropped, and those of teams (decision 5.32). What is answered of it is read in the same transaction.
   *
   * @throws ForbiddenException without `createContent` in that organization, BadRequestException for one that `member`
   * does not belong to, ConflictException for the present one, and what others have against it.
   */
  async transfer<T>(
    { _id, organization: from }: Space,
    member: Member | null,
    { to, answer }: { to: string; answer: (given: Space) => Promise<T> },
  ): Promise<T> {
    if (to === from) throw new ConflictException('The space belongs to this organization already');
    const there = member && isId(to) ? await this.members.find(to, member.user) : null;
    if (!there) throw new BadRequestException('organization must be the id of an organization that you belong to');
    if (!organizationPermissions(there).createContent) {
      throw new ForbiddenException('You lack the permission "createContent" in the organization to give the space to');
    }
    return this.places.change([from, to], async () => {
      const space = await this.spaces.get(_id);
      if (space.organization !== from) throw new ConflictException('The space was given away meanwhile');
      await this.events.emit('space.transferring', { space: _id, from, to });
      const subjects = space.users.map(({ subject }) => subject);
      // held, so that nobody leaves there who would leave the entry behind
      const belonging = await this.members.hold(to, subjects);
      const given = await this.set(_id, {
        organization: to,
        parent: null,
        order: await this.places.last({ organization: to, parent: null }),
        users: space.users.filter(({ subject }) => belonging.has(subject)),
        teams: [],
      });
      // those who lost it and those who got it read of it alike
      const done = {
        action: 'space.transfer',
        id: _id,
        changes: changesBetween(space, given, ['organization']),
      } as const;
      await this.audit.record({ ...done, organization: from }, { ...done, organization: to });
      return answer(given);
    });
  }

  /** Changes a space that is `where` it should be. @throws NotFoundException when it is not. */
  private async set(id: string, fields: Partial<Space>, where: object = { deletedAt: null }): Promise<Space> {
    const filter = { _id: id, purging: { $ne: true }, ...where };
    const updated = await this.models
      .findOneAndUpdate(filter, { $set: fields, $inc: { version: 1 } }, { returnDocument: 'after' })
      .lean<Space>();
    if (!updated) throw new NotFoundException('Space not found');
    return updated;
  }
}
