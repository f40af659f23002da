import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Database, inBatches, Invariants, type Problem } from '../database/index.js';
import { RevisionsService } from '../revisions/index.js';
import { type Space, type SpaceCounters, SpacesService } from '../spaces/index.js';
import { ChangeRequest } from './change-request.schema.js';
import { MergeRuleSet } from './merge-rules.schema.js';
import { Review } from './review.schema.js';

/** Records that are looked at in one go. */
const BATCH = 500;

type Counted = Required<Omit<SpaceCounters, 'comments'>>;

/** Tells `doctor` what must hold between spaces, change requests, their revisions and their reviews. */
@Injectable()
export class ChangeRequestsInvariants implements OnModuleInit {
  constructor(
    @InjectModel(ChangeRequest.name) private readonly changeRequests: Model<ChangeRequest>,
    @InjectModel(Review.name) private readonly reviews: Model<Review>,
    @InjectModel(MergeRuleSet.name) private readonly rules: Model<MergeRuleSet>,
    private readonly invariants: Invariants,
    private readonly database: Database,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add('every change request, review and merge rule has what it belongs to', () => this.orphans());
    this.invariants.add('every space knows how many change requests it has', () => this.miscounted());
    this.invariants.add('the change requests of every space are numbered 1, 2, 3...', () => this.misnumbered());
    this.invariants.add('every change request points to revisions of its space', () => this.astray());
    this.invariants.add('a change request is merged when a revision of its space came of it', () => this.halfMerged());
  }

  private async *orphans(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.changeRequests)) {
      yield* await this.withoutSpace(batch, ({ _id, space }) => ({
        where: `change request ${_id}`,
        what: `its space ${space} is gone`,
        space,
        repair: () => removed(this.changeRequests, _id),
      }));
    }
    for await (const batch of inBatches(this.reviews)) {
      const ids = [...new Set(batch.map(({ changeRequest }) => changeRequest))];
      const found = await this.changeRequests.find({ _id: { $in: ids } }, { _id: 1 }).lean<{ _id: string }[]>();
      const there = new Set(found.map(({ _id }) => _id));
      for (const { _id, changeRequest } of batch.filter((one) => !there.has(one.changeRequest))) {
        const repair = (): Promise<void> => removed(this.reviews, _id);
        yield { where: `review ${_id}`, what: `its change request ${changeRequest} is gone`, repair };
      }
    }
    for await (const batch of inBatches(this.rules)) {
      const own = batch.filter((set) => set.of === 'space');
      yield* await this.withoutSpace(own, ({ _id }) => ({
        where: `merge rules ${_id}`,
        what: 'their space is gone',
        space: _id,
        repair: () => removed(this.rules, _id),
      }));
    }
  }

  /** The problems that `told` tells of those of `records` whose space is gone. */
  private async withoutSpace<T>(
    records: readonly T[],
    told: (record: T) => Problem & { space: string },
  ): Promise<Problem[]> {
    const problems = records.map(told);
    const there = await this.spaces.existing([...new Set(problems.map(({ space }) => space))]);
    return problems.filter(({ space }) => !there.has(space));
  }

  private async *miscounted(): AsyncGenerator<Problem> {
    for await (const space of this.spaces.all()) {
      const counted = await this.count(space._id);
      const wrong = Object.entries(counted).filter(([name, count]) => space[name as keyof Counted] !== count);
      if (wrong.length === 0) continue;
      yield {
        where: `space ${space._id}`,
        what: wrong.map(([name, count]) => `${name} must be ${String(count)}`).join(', '),
        repair: () =>
          this.database.transaction(async () => this.spaces.setCounters(space._id, await this.count(space._id))),
      };
    }
  }

  /** What a space must show; all of them by the highest number, as none is given twice. */
  private async count(space: string): Promise<Counted> {
    const last = await this.changeRequests.findOne({ space }, { number: 1 }).sort({ number: -1 }).lean<ChangeRequest>();
    return {
      changeRequests: last?.number ?? 0,
      changeRequestsOpen: await this.changeRequests.countDocuments({ space, status: 'open' }),
      changeRequestsDraft: await this.changeRequests.countDocuments({ space, status: 'draft' }),
    };
  }

  private async *misnumbered(): AsyncGenerator<Problem> {
    for await (const { _id: space } of this.spaces.all()) yield* this.misnumberedIn(space);
  }

  private async *misnumberedIn(space: Space['_id']): AsyncGenerator<Problem> {
    const where = `space ${space}`;
    for (let expected = 1; ;) {
      const numbers = await this.changeRequests
        .find({ space, number: { $gte: expected } }, { number: 1 })
        .sort({ number: 1 })
        .limit(BATCH)
        .lean<Pick<ChangeRequest, 'number'>[]>();
      for (const { number } of numbers) {
        if (number < expected) yield { where, what: `the number ${String(number)} is given twice` };
        if (number > expected)
          yield { where, what: `the numbers ${String(expected)} to ${String(number - 1)} are missing` };
        expected = number + 1;
      }
      if (numbers.length < BATCH) return;
    }
  }

  private async *astray(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.changeRequests)) {
      const revisions = await this.revisions.findMany(batch.flatMap(pointersOf));
      for (const changeRequest of batch) {
        const lost = pointersOf(changeRequest).filter((id) => revisions.get(id)?.space !== changeRequest.space);
        if (lost.length === 0) continue;
        const what = `the revisions that it points to are not there, or not of its space: ${lost.join(', ')}`;
        yield { where: `change request ${changeRequest._id}`, what };
      }
    }
  }

  private async *halfMerged(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.changeRequests)) {
      for (const { _id, status, revisionMerged } of batch) {
        if ((status === 'merged') === (revisionMerged !== null)) continue;
        const what = `its state is ${status}, and the revision that came of it ${revisionMerged ?? 'is not known'}`;
        yield { where: `change request ${_id}`, what };
      }
    }
  }
}

/** Ids of the revisions that a change request points to. */
function pointersOf(changeRequest: ChangeRequest): string[] {
  const { revision, revisionInitial, revisionMergedAncestor, revisionMerged } = changeRequest;
  return [revision, revisionInitial, revisionMergedAncestor, revisionMerged].filter((id) => id !== null);
}

async function removed<T extends { _id: string }>(model: Model<T>, _id: string): Promise<void> {
  await model.deleteOne({ _id });
}
