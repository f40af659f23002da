import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, removedWith } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { Database } from '../database/index.js';
import { RevisionsService } from '../revisions/index.js';
import { Space } from './space.schema.js';
import { TRASH_PERIOD } from './spaces.service.js';

/** How long after its time in the trash a space is purged, ms: no clock of another process is off by so much. */
const GRACE = 60 * 60_000;
/** Records that are removed in one step. */
const BATCH = 500;
/** Spaces that are looked for at once. */
const SPACES = 50;

/**
 * Removes up to `limit` records of a purged space, outside of transactions; answers how many it removed, fewer than
 * `limit` when none is left. Done again it does no harm.
 */
export type PurgePart = (space: string, limit: number) => Promise<number>;

/** Called between the steps; ends the purge by throwing. The next one goes on. */
type Step = () => Promise<void>;

/**
 * Removes spaces whose time in the trash is over, with everything under them (decisions 4.9, 9.3). The space itself goes
 * last: as long as it is there, the work is not done. Texts and chunks stay, as others may hold them: the sweep of the
 * store removes those that nobody does.
 */
@Injectable()
export class SpacePurge {
  private readonly parts: PurgePart[] = [];

  constructor(
    @InjectModel(Space.name) private readonly spaces: Model<Space>,
    private readonly database: Database,
    private readonly events: DomainEvents,
    private readonly revisions: RevisionsService,
    private readonly audit: Audit,
  ) {}

  /** Has `part` remove what a module keeps of spaces; modules say so in `onModuleInit`. */
  add(part: PurgePart): void {
    this.parts.push(part);
  }

  /** Purges every space that is due at `now`; answers how many. */
  async run(step: Step = () => Promise.resolve(), now = new Date()): Promise<number> {
    let purged = 0;
    for (;;) {
      const due = await this.due(now);
      for (const space of due) {
        if (await this.purge(space, { step, now })) purged += 1;
      }
      if (due.length < SPACES) return purged;
    }
  }

  private due(now: Date): Promise<Pick<Space, '_id' | 'organization'>[]> {
    return this.spaces
      .find({ deletedAt: { $type: 'date', $lt: cutoff(now) } }, { organization: 1 })
      .sort({ deletedAt: 1, _id: 1 })
      .limit(SPACES)
      .lean<Pick<Space, '_id' | 'organization'>[]>();
  }

  /** Removes one space. @returns `false` when it is not in the trash any more, or somebody else was first. */
  private async purge(
    { _id, organization }: Pick<Space, '_id' | 'organization'>,
    { step, now }: { step: Step; now: Date },
  ): Promise<boolean> {
    // from here on nothing brings it back, and search is not brought up to it
    const filter = { _id, deletedAt: { $type: 'date' as const, $lt: cutoff(now) } };
    const { matchedCount } = await this.spaces.updateOne(filter, { $set: { purging: true, indexing: false } });
    if (matchedCount === 0) return false;
    const own: PurgePart = (space, limit) => this.revisions.removeOf(space, limit);
    for (const part of [...this.parts, own]) {
      do await step();
      while ((await part(_id, BATCH)) >= BATCH);
    }
    return this.database.transaction(async () => {
      const gone = await this.spaces.findOneAndDelete({ _id, purging: true }).lean<Space>();
      if (!gone) return false;
      const changes = removedWith({ title: gone.title });
      await this.audit.record({ organization, action: 'space.purge', id: _id, changes });
      await this.events.emit('space.purged', { space: _id, organization });
      return true;
    });
  }
}

const cutoff = (now: Date): Date => new Date(now.getTime() - TRASH_PERIOD - GRACE);
