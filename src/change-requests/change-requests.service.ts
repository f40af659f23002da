import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type AuditAction, type Changes, changesBetween, madeWith } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { isId } from '../common/ids.js';
import { KeyedLock } from '../common/keyed-lock.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import type { ChangeRequestStatus } from '../content/index.js';
import { Database, inBatches } from '../database/index.js';
import { type SpaceCounters, SpacesService } from '../spaces/index.js';
import { ChangeRequest, type Contributor } from './change-request.schema.js';

/** States in which the content can be edited, updated and merged (decision 4.A). */
const EDITABLE: ChangeRequestStatus[] = ['draft', 'open'];

/** What can be set of a change request. */
const FIELDS = ['subject', 'status', 'requestedReviewers'] as const;

/** Which change requests a list holds. */
export interface ChangeRequestsQuery extends ListQuery {
  status?: ChangeRequestStatus;
  /** Id of who made it, or one of its revisions (decision 5.40). */
  contributor?: string;
}

/** What a change of settings names. */
export interface ChangeRequestChanges {
  subject?: string;
  status?: Exclude<ChangeRequestStatus, 'merged'>;
}

/** Change requests: their states, and the pointer to their content. */
@Injectable()
export class ChangeRequestsService {
  private readonly numbering = new KeyedLock();

  constructor(
    @InjectModel(ChangeRequest.name) private readonly changeRequests: Model<ChangeRequest>,
    private readonly database: Database,
    private readonly spaces: SpacesService,
    private readonly audit: Audit,
    private readonly events: DomainEvents,
  ) {}

  /** The change request of a space with this id or, in digits alone, number (decision 3.50); `null` when there is none. */
  async find(space: string, idOrNumber: string): Promise<ChangeRequest | null> {
    if (/^\d{1,15}$/.test(idOrNumber)) {
      return this.changeRequests.findOne({ space, number: Number(idOrNumber) }).lean<ChangeRequest>();
    }
    if (!isId(idOrNumber)) return null;
    return this.changeRequests.findOne({ _id: idOrNumber, space }).lean<ChangeRequest>();
  }

  /** The change request with `id`. @throws NotFoundException when there is none. */
  async get(id: string): Promise<ChangeRequest> {
    const changeRequest = await this.changeRequests.findById(id).lean<ChangeRequest>();
    if (!changeRequest) throw new NotFoundException('Change request not found');
    return changeRequest;
  }

  /** Those of the change requests `ids` that are there, by id. */
  async findMany(ids: readonly string[]): Promise<Map<string, ChangeRequest>> {
    if (ids.length === 0) return new Map();
    const found = await this.changeRequests.find({ _id: { $in: [...new Set(ids)] } }).lean<ChangeRequest[]>();
    return new Map(found.map((one) => [one._id, one]));
  }

  /** One page of the change requests of a space with one status, `open` unless given, newest first (decision 5.39). */
  list(space: string, { status = 'open', contributor, ...query }: ChangeRequestsQuery): Promise<Page<ChangeRequest>> {
    const by = contributor === undefined ? {} : { 'contributors.user': contributor };
    return findPage(this.changeRequests, { space, status, ...by }, query);
  }

  /**
   * Makes a change request of `author`, a draft from the primary content of now, with the next number of the space.
   * @throws NotFoundException when the space is gone.
   */
  async create(space: string, author: string, subject = ''): Promise<ChangeRequest> {
    // within this process they wait in line; another one that makes one at the same moment makes this one begin anew
    return this.numbering.run(space, () => this.database.transaction(() => this.insert(space, author, subject)));
  }

  /**
   * Changes what `changes` names and is not so already; no date moves where nothing changes (decision 4.A).
   * @throws ConflictException when it is merged.
   */
  async update({ _id }: Pick<ChangeRequest, '_id'>, changes: ChangeRequestChanges): Promise<ChangeRequest> {
    return this.database.transaction(async () => {
      const present = await this.get(_id);
      const named = Object.entries(changes).filter(([, value]) => value !== undefined);
      if (named.length > 0) requireUnmerged(present);
      const fields = named.filter(([name, value]) => present[name as keyof ChangeRequestChanges] !== value);
      return fields.length === 0 ? present : this.set(present, Object.fromEntries(fields), 'change-request.update');
    });
  }

  /**
   * Writes `fields` into the record that was read as `present`, with what the space counts, and records it as `action`;
   * joins a surrounding transaction. @throws ConflictException when somebody else changed it since.
   */
  async set(
    present: ChangeRequest,
    fields: Partial<Pick<ChangeRequest, (typeof FIELDS)[number]>>,
    action: AuditAction,
  ): Promise<ChangeRequest> {
    return this.database.transaction(async () => {
      const updated = await this.changeRequests
        .findOneAndUpdate(
          { _id: present._id, version: present.version },
          { $set: fields, $inc: { version: 1 } },
          // what a request shows is its subject and its state: asking for a review alone moves no date
          { returnDocument: 'after', timestamps: 'subject' in fields || 'status' in fields },
        )
        .lean<ChangeRequest>();
      if (!updated)
        throw new ConflictException('Somebody else changed the change request at the same moment; try again');
      await this.count(updated.space, present.status, updated.status);
      const isOther = Object.keys(changesBetween(present, updated, FIELDS)).length > 0;
      if (isOther) await this.record(updated, action, changesOf(present, updated));
      return updated;
    });
  }

  /**
   * Moves the pointer to the content from the revision that `changeRequest` was read with, and counts `author` among the
   * contributors; `mergedAncestor`: the revision of the space that was pulled. Joins a surrounding transaction. Recorded
   * as a pull or an edit.
   *
   * @returns The change request as it is now; `null` when somebody else moved it first, or it is no draft and not open.
   */
  async advance(
    changeRequest: ChangeRequest,
    { revision, mergedAncestor }: { revision: string; mergedAncestor?: string },
    author: string,
  ): Promise<ChangeRequest | null> {
    // contributors change with the revision only, so the ones that were read with it are those of now
    const contributors = withContribution(changeRequest.contributors, author);
    const moved = {
      revision,
      contributors,
      ...(mergedAncestor !== undefined && { revisionMergedAncestor: mergedAncestor }),
    };
    const action = mergedAncestor === undefined ? 'change-request.edit' : 'change-request.pull';
    return this.database.transaction(async () => {
      const advanced = await this.changeRequests
        .findOneAndUpdate(
          { _id: changeRequest._id, revision: changeRequest.revision, status: { $in: EDITABLE } },
          { $set: moved, $inc: { version: 1 } },
          { returnDocument: 'after' },
        )
        .lean<ChangeRequest>();
      const changes = { revision: { before: changeRequest.revision, after: revision } };
      if (advanced) await this.record(advanced, action, changes);
      return advanced;
    });
  }

  /**
   * Notes, in the transaction of the merge, that `changeRequest` became the revision `revision` of its space.
   *
   * @returns `false` when its content was changed since it was read, or it is no draft and not open.
   */
  markMerged(changeRequest: ChangeRequest, revision: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const before = await this.changeRequests
        .findOneAndUpdate(
          { _id: changeRequest._id, revision: changeRequest.revision, status: { $in: EDITABLE } },
          { $set: { status: 'merged', revisionMerged: revision }, $inc: { version: 1 } },
          { returnDocument: 'before' },
        )
        .lean<ChangeRequest>();
      if (!before) return false;
      const { _id, space, status } = before;
      const { organization } = await this.spaces.adjustCounters(space, counted(status, 'merged'));
      const changes = {
        status: { before: status, after: 'merged' },
        revision: { before: before.revision, after: revision },
      };
      await this.audit.record({ organization, action: 'change-request.merge', id: _id, changes });
      await this.events.emit('change-request.merged', { organization, space, changeRequest: _id, revision });
      return true;
    });
  }

  /** Adds `by` to the open comments of a change request; joins a surrounding transaction. No date moves. */
  async adjustComments({ _id }: Pick<ChangeRequest, '_id'>, by: number): Promise<void> {
    const { matchedCount } = await this.changeRequests.updateOne(
      { _id },
      { $inc: { comments: by } },
      { timestamps: false },
    );
    if (matchedCount === 0) throw new NotFoundException('Change request not found');
  }

  /** Sets the open comments of a change request, where they were found to be wrong; joins a surrounding transaction. */
  async setComments({ _id }: Pick<ChangeRequest, '_id'>, comments: number): Promise<void> {
    await this.changeRequests.updateOne({ _id }, { $set: { comments } }, { timestamps: false });
  }

  /** Every change request in the order of their ids, some at a time: for checks of the whole. */
  async *all(): AsyncGenerator<ChangeRequest> {
    for await (const batch of inBatches(this.changeRequests)) yield* batch;
  }

  /**
   * Takes back the request for a review of `reviewer`, who gives one; joins a surrounding transaction. No date moves.
   *
   * @returns The change request as it was before. @throws ConflictException when it is archived (decision 4.A).
   */
  async recordReview({ _id }: Pick<ChangeRequest, '_id'>, reviewer: string): Promise<ChangeRequest> {
    const before = await this.changeRequests
      .findOneAndUpdate(
        { _id, status: { $ne: 'archived' } },
        { $pull: { requestedReviewers: { user: reviewer } }, $inc: { version: 1 } },
        { returnDocument: 'before', timestamps: false },
      )
      .lean<ChangeRequest>();
    if (!before) throw new ConflictException('The change request is archived: open it to review it');
    return before;
  }

  /**
   * Takes back what `user`, who leaves `organization`, is asked to review there (decision 5.17); joins a surrounding
   * transaction. No date moves.
   */
  async dropReviewRequests(organization: string, user: string): Promise<void> {
    const asked = { 'requestedReviewers.user': user };
    const found = await this.changeRequests.find(asked, { space: 1 }).lean<Pick<ChangeRequest, 'space'>[]>();
    const spaces = await this.spaces.ofOrganization(organization, [...new Set(found.map(({ space }) => space))]);
    if (spaces.length === 0) return;
    await this.changeRequests.updateMany(
      { ...asked, space: { $in: spaces } },
      { $pull: { requestedReviewers: { user } }, $inc: { version: 1 } },
      { timestamps: false },
    );
  }

  /** Removes up to `limit` change requests of a space that is purged; answers how many there were. */
  async removeOf(space: string, limit: number): Promise<number> {
    const found = await this.changeRequests.find({ space }, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
    await this.changeRequests.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }

  private async insert(space: string, author: string, subject: string): Promise<ChangeRequest> {
    const counted = await this.spaces.adjustCounters(space, { changeRequests: 1, changeRequestsDraft: 1 });
    const [made] = await this.changeRequests.create([
      {
        space,
        number: counted.changeRequests,
        subject,
        createdBy: author,
        revision: counted.revision,
        revisionInitial: counted.revision,
        contributors: [{ user: author, count: 0, updatedAt: new Date() }],
      },
    ]);
    if (!made) throw new Error('The change request was not made');
    const { organization } = counted;
    const changes = madeWith({ subject, space });
    await this.audit.record({ organization, action: 'change-request.create', id: made._id, changes });
    return made.toObject<ChangeRequest>();
  }

  private async record(
    { _id: id, space }: Pick<ChangeRequest, '_id' | 'space'>,
    action: AuditAction,
    changes: Changes,
  ): Promise<void> {
    await this.audit.record({ organization: await this.spaces.organizationOf(space), action, id, changes });
  }

  private async count(space: string, from: ChangeRequestStatus, to: ChangeRequestStatus): Promise<void> {
    if (from !== to) await this.spaces.adjustCounters(space, counted(from, to));
  }
}

/** @throws ConflictException for a change request that is merged (decision 4.2). */
function requireUnmerged({ status }: Pick<ChangeRequest, 'status'>): void {
  if (status === 'merged') throw new ConflictException('The change request is merged: it cannot be changed any more');
}

/** What of a change request is recorded, where it differs: of requests for reviews, who is asked. */
function changesOf(before: ChangeRequest, after: ChangeRequest): Changes {
  const recorded = ({ subject, status, requestedReviewers }: ChangeRequest) => ({
    subject,
    status,
    requestedReviewers: requestedReviewers.map(({ user }) => user),
  });
  return changesBetween(recorded(before), recorded(after), FIELDS);
}

/** What a space counts differently when a change request goes from one state to another. */
function counted(from: ChangeRequestStatus, to: ChangeRequestStatus): SpaceCounters {
  const of = (status: ChangeRequestStatus): number => Number(to === status) - Number(from === status);
  return { changeRequestsDraft: of('draft'), changeRequestsOpen: of('open') };
}

/** `contributors` after one more revision of `user`. */
function withContribution(contributors: readonly Contributor[], user: string): Contributor[] {
  const count = contributors.find((one) => one.user === user)?.count ?? 0;
  return [...contributors.filter((one) => one.user !== user), { user, count: count + 1, updatedAt: new Date() }];
}
