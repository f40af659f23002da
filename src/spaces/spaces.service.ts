import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import type { Member } from '../organizations/index.js';
import { RevisionsService } from '../revisions/index.js';
import type { CreateSpaceDto } from './dto/create-space.dto.js';
import type { UpdateSpaceDto } from './dto/update-space.dto.js';
import { visibleTo } from './space-role.js';
import { Space } from './space.schema.js';

/** How long a space can be brought back from the trash, in ms (decision 4.9). */
export const TRASH_PERIOD = 7 * 24 * 60 * 60 * 1000;

/** What a search over many spaces needs of each. */
export type VisibleSpace = Pick<Space, '_id' | 'title' | 'revision'>;

/** Spaces: their settings, and the pointer to their primary content. */
@Injectable()
export class SpacesService {
  constructor(
    @InjectModel(Space.name) private readonly spaces: Model<Space>,
    private readonly revisions: RevisionsService,
  ) {}

  /** The space with `id`, in the trash or not; `null` when there is none or its time in the trash is over. */
  async find(id: string): Promise<Space | null> {
    const space = await this.spaces.findById(id).lean<Space>();
    return space?.deletedAt && space.deletedAt.getTime() < Date.now() - TRASH_PERIOD ? null : space;
  }

  /** The space with `id`. @throws NotFoundException as {@link find} answers `null`. */
  async get(id: string): Promise<Space> {
    const space = await this.find(id);
    if (!space) throw new NotFoundException('Space not found');
    return space;
  }

  /** One page of the spaces of an organization that `member` can see, newest first, without those in the trash. */
  list(organization: string, member: Member, query: ListQuery): Promise<Page<Space>> {
    const list = { organization, user: member.user };
    return findPage(this.spaces, { organization, deletedAt: null, ...visibleTo(member) }, query, { list });
  }

  /** Every space of an organization that `member` can see: id, title and revision, newest first. */
  allVisible(organization: string, member: Member): Promise<VisibleSpace[]> {
    return this.spaces
      .find({ organization, deletedAt: null, ...visibleTo(member) }, { title: 1, revision: 1 })
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
    { parent, title = 'Untitled', ...fields }: CreateSpaceDto,
  ): Promise<Space> {
    if (parent !== undefined)
      throw new BadRequestException('parent must be the id of a collection of this organization');
    const id = newId();
    const { _id: revision } = await this.revisions.createFirst({ organization, space: id, author: user });
    const users = [{ subject: user, role: 'admin' as const, createdAt: new Date() }];
    const space = await this.spaces.create({
      ...fields,
      _id: id,
      organization,
      title,
      users,
      revision,
      indexedRevision: revision,
    });
    return space.toObject<Space>();
  }

  /** Changes what `changes` names; nothing, and no date moves. @throws NotFoundException when it is gone. */
  async update(space: Space, changes: UpdateSpaceDto): Promise<Space> {
    if (Object.keys(changes).length === 0) return space;
    const updated = await this.spaces
      .findOneAndUpdate(
        { _id: space._id, deletedAt: null },
        { $set: changes, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean<Space>();
    if (!updated) throw new NotFoundException('Space not found');
    return updated;
  }

  /**
   * Moves the pointer to the primary content from the revision that `space` was read with to `to`; joins a surrounding
   * transaction.
   *
   * @param indexed Whether search and links are brought from that revision to `to` in the same transaction.
   * @returns `false` when somebody else moved it first.
   */
  async moveRevision(space: Space, to: string, indexed: boolean): Promise<boolean> {
    const { matchedCount } = await this.spaces.updateOne(
      { _id: space._id, revision: space.revision, indexedRevision: space.indexedRevision, deletedAt: null },
      { $set: { revision: to, ...(indexed ? { indexedRevision: to } : { indexing: true }) } },
    );
    return matchedCount === 1;
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
      { _id: space._id, indexedRevision: space.indexedRevision },
      { $inc: { indexSteps: 1 } },
      { timestamps: false },
    );
    return matchedCount === 1;
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
