import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newId } from '../common/ids.js';
import { Database } from '../database/index.js';
import { ChunkRecord } from './chunk.schema.js';
import { StoredDocument } from './document.schema.js';
import type { ImmutableRecord } from './immutable.js';
import { blobMark, Marks } from './marks.service.js';
import { Revision } from './revision.schema.js';
import { SWEEP_PHASES, type SweepPhase, SweepState } from './sweep.schema.js';

/** How often the store is swept, ms. */
const INTERVAL = 24 * 60 * 60_000;
/** What was touched so shortly before a sweep began stays, ms: somebody may be about to refer to it. */
const GRACE = 24 * 60 * 60_000;
/** A sweep that has not come to its end by then begins anew, ms: long before a space that was thrown away when it began is purged. */
const TOO_OLD = 24 * 60 * 60_000;
/** Records that one step looks at. */
const BATCH = 500;

/** What a sweep needs of whoever runs it. */
export interface SweepOptions {
  /** Those of the spaces that are there, in the trash or not: revisions of others are removed. */
  exists: (spaces: readonly string[]) => Promise<Set<string>>;
  /** Removes bytes that nobody refers to; `isReferenced` answers those of the hashes that somebody does. */
  removeBlobs?: (isReferenced: (hashes: readonly string[]) => Promise<Set<string>>, before: Date) => Promise<void>;
  /** Called between the steps; ends the sweep by throwing. What was done stays, and the next run goes on. */
  step?: () => Promise<void>;
  /** Sweeps though the last sweep is not long ago. */
  force?: boolean;
  now?: Date;
}

/** How much a run removed. */
export interface Swept {
  revisions: number;
  chunks: number;
  documents: number;
}

/**
 * Removes what no revision refers to: marks what all revisions of all organizations reach, then deletes what is not
 * marked and was not touched lately. It works in small steps, each of which stands on its own, beside requests.
 */
@Injectable()
export class ContentSweep {
  constructor(
    @InjectModel(SweepState.name) private readonly states: Model<SweepState>,
    @InjectModel(Revision.name) private readonly revisions: Model<Revision>,
    @InjectModel(ChunkRecord.name) private readonly chunks: Model<ChunkRecord>,
    @InjectModel(StoredDocument.name) private readonly documents: Model<StoredDocument>,
    private readonly marks: Marks,
    private readonly database: Database,
  ) {}

  /** Begins a sweep when one is due, or goes on with the last, to its end. Answers what this run removed. */
  async run(options: SweepOptions): Promise<Swept> {
    const swept: Swept = { revisions: 0, chunks: 0, documents: 0 };
    let state = await this.take(options);
    while (state && state.phase !== 'done') {
      await options.step?.();
      state = await this.advance(state, options, swept);
    }
    return swept;
  }

  /** The sweep to go on with, now this process's own; `null` when none is due. */
  private async take({ now = new Date(), force = false }: SweepOptions): Promise<SweepState | null> {
    const last = await this.states.findById(ID).lean<SweepState>();
    const age = last ? now.getTime() - last.startedAt.getTime() : Infinity;
    const owner = newId();
    if (last && last.phase !== 'done' && age < TOO_OLD) return this.move(last, { owner });
    if (last?.phase === 'done' && age < INTERVAL && !force) return null;
    const fresh = { owner, startedAt: now, phase: 'mark' as const, after: '' };
    if (last) return this.move(last, { ...fresh, generation: last.generation + 1 });
    const state = { _id: ID, generation: 1, ...fresh };
    await this.states.create([state]);
    return state;
  }

  private async advance(state: SweepState, options: SweepOptions, swept: Swept): Promise<SweepState> {
    switch (state.phase) {
      case 'mark':
        return this.markNext(state, options, swept);
      case 'chunks': {
        const { next, removed } = await this.removeNext(this.chunks, state);
        swept.chunks += removed;
        return next;
      }
      case 'documents': {
        const { next, removed } = await this.removeNext(this.documents, state);
        swept.documents += removed;
        return next;
      }
      case 'blobs':
        await options.removeBlobs?.((hashes) => this.referenced(state, hashes), cutoff(state));
        return this.move(state, next(state, ''));
      case 'clear':
        return this.move(state, next(state, (await this.marks.clear(BATCH)) === BATCH ? 'more' : ''));
      case 'done':
        return state;
    }
  }

  /** Marks what some more revisions reach; those of spaces that never came to be, or were purged, are removed. */
  private async markNext(state: SweepState, { exists }: SweepOptions, swept: Swept): Promise<SweepState> {
    const revisions = await this.revisions
      .find({ _id: { $gt: state.after } }, { root: 1, space: 1, createdAt: 1 })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<Pick<Revision, '_id' | 'root' | 'space' | 'createdAt'>[]>();
    const spaces = await exists([...new Set(revisions.map(({ space }) => space))]);
    const isOrphan = ({ space, createdAt }: Pick<Revision, 'space' | 'createdAt'>): boolean =>
      !spaces.has(space) && createdAt < cutoff(state);
    const remaining = revisions.filter((revision) => !isOrphan(revision));
    const roots = [...new Set(remaining.map(({ root }) => root))];
    const marked = await this.marks.among(state.generation, roots);
    for (const root of roots) if (!marked.has(root)) await this.marks.reach(state.generation, root);
    const orphans = revisions.filter(isOrphan).map(({ _id }) => _id);
    if (orphans.length > 0) await this.revisions.deleteMany({ _id: { $in: orphans } });
    swept.revisions += orphans.length;
    return this.move(state, next(state, revisions.length === BATCH ? (revisions.at(-1)?._id ?? '') : ''));
  }

  /**
   * Removes what is not marked among the next records of `model`. The state moves in the same transaction: nobody
   * removes anything by the marks of a sweep that somebody else has taken over.
   */
  private async removeNext<T extends ImmutableRecord>(
    model: Model<T>,
    state: SweepState,
  ): Promise<{ next: SweepState; removed: number }> {
    const records = await (model as unknown as Model<ImmutableRecord>)
      .find({ _id: { $gt: state.after } }, { touchedAt: 1 })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<ImmutableRecord[]>();
    const old = records.filter(({ touchedAt }) => touchedAt < cutoff(state)).map(({ _id }) => _id);
    const to = next(state, records.length === BATCH ? (records.at(-1)?._id ?? '') : '');
    return this.database.transaction(async () => {
      const moved = await this.move(state, to);
      const marked = await this.marks.among(state.generation, old);
      const unmarked = old.filter((id) => !marked.has(id));
      if (unmarked.length === 0) return { next: moved, removed: 0 };
      const { deletedCount } = await (model as unknown as Model<ImmutableRecord>).deleteMany({
        _id: { $in: unmarked },
        // once more: somebody may need it since it was read
        touchedAt: { $lt: cutoff(state) },
      });
      return { next: moved, removed: deletedCount };
    });
  }

  private async referenced({ generation }: SweepState, hashes: readonly string[]): Promise<Set<string>> {
    const marked = await this.marks.among(generation, hashes.map(blobMark));
    return new Set(hashes.filter((hash) => marked.has(blobMark(hash))));
  }

  /** Moves the state on. @throws Error when somebody else has taken the sweep over. */
  private async move(state: SweepState, fields: Partial<SweepState>): Promise<SweepState> {
    const { matchedCount } = await this.states.updateOne({ _id: ID, owner: state.owner }, { $set: fields });
    if (matchedCount === 0) throw new Error('The sweep was taken over by another process');
    return { ...state, ...fields };
  }
}

const ID = 'content';

const cutoff = ({ startedAt }: SweepState): Date => new Date(startedAt.getTime() - GRACE);

/** What the state becomes when the present phase has come to the id `after`; empty: to its end. */
function next({ phase }: SweepState, after: string): Pick<SweepState, 'phase' | 'after'> {
  const following: SweepPhase = SWEEP_PHASES[SWEEP_PHASES.indexOf(phase) + 1] ?? 'done';
  return after === '' ? { phase: following, after: '' } : { phase, after };
}
