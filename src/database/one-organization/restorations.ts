import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { newId } from '../../common/ids.js';
import { BackupError } from '../backup/index.js';
import { Invariants, type Problem } from '../invariants.js';

/** That an organization is being restored, or was in part only. */
interface Restoration {
  /** Id of the organization. */
  _id: string;
  at: Date;
  /** Who does it. */
  holder: string;
  /** Until when they are taken to be alive. */
  until: Date;
}

/** Records that are about to be written, so that they can be taken back. */
interface WrittenBatch {
  /** The organization, a slash and a number. */
  _id: string;
  collection: string;
  ids: string[];
}

/** For so long somebody counts as alive who has said so, ms, and so often they say it. */
const LEASE = 60_000;
const OFTEN = 10_000;

/** Organizations that are being restored: none of it is seen before all of it is there. */
@Injectable()
export class Restorations implements OnModuleInit {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly invariants: Invariants,
  ) {}

  /** Tells `doctor` of those that were broken off. */
  onModuleInit(): void {
    this.invariants.add('every organization was restored as a whole', () => this.brokenOff());
  }

  /** Whether an organization is being restored, or was in part only. One read. */
  async underWay(): Promise<boolean> {
    return (await this.marks.findOne({})) !== null;
  }

  /**
   * Begins to restore `organization`, after what an attempt that broke off has left was removed.
   * @throws BackupError while somebody else restores it.
   */
  async begin(organization: string): Promise<Restoring> {
    const restoring = await this.take(organization);
    await restoring.takeBack();
    return restoring;
  }

  private async take(organization: string): Promise<Restoring> {
    const holder = newId();
    const [at, until] = [new Date(), new Date(Date.now() + LEASE)];
    const mark = { $set: { at, holder, until } };
    const filter = { _id: organization, until: { $lt: at } };
    const { matchedCount } = await this.marks.updateOne(filter, mark);
    if (matchedCount === 0) {
      const { upsertedCount } = await this.marks.updateOne(
        { _id: organization },
        { $setOnInsert: mark.$set },
        { upsert: true },
      );
      if (upsertedCount === 0) {
        throw new BackupError(
          `The organization ${organization} is being restored: wait for that, or a minute where it was broken off`,
        );
      }
    }
    return new Restoring(this.connection, organization, holder);
  }

  private async *brokenOff(): AsyncGenerator<Problem> {
    for await (const { _id, until } of this.marks.find({})) {
      if (until > new Date()) continue;
      yield {
        where: `organization ${_id}`,
        what: 'it was restored in part only, which nobody sees: run "restore" again',
        repair: async () => {
          const restoring = await this.take(_id);
          await restoring.takeBack();
          await restoring.end();
        },
      };
    }
  }

  private get marks() {
    return marksOf(this.connection);
  }
}

/** An organization that this process restores. */
export class Restoring {
  private renewed = Date.now();
  private batches = 0;

  constructor(
    private readonly connection: Connection,
    private readonly organization: string,
    private readonly holder: string,
  ) {}

  /** Says, where that was long ago, that this process is alive. @throws BackupError when another one has taken over. */
  async goOn(): Promise<void> {
    if (Date.now() - this.renewed < OFTEN) return;
    await this.hold();
    this.renewed = Date.now();
  }

  /** Notes that records are about to be written. */
  async note(collection: string, ids: string[]): Promise<void> {
    await this.goOn();
    this.batches += 1;
    const _id = `${this.organization}/${String(this.batches).padStart(12, '0')}`;
    await this.written.insertOne({ _id, collection, ids });
  }

  /** Removes what was noted. @throws BackupError when another process has taken over. */
  async takeBack(): Promise<void> {
    await this.hold();
    for await (const { _id, collection, ids } of this.written.find(this.own).sort({ _id: 1 })) {
      await this.connection.collection<{ _id: string }>(collection).deleteMany({ _id: { $in: ids } });
      await this.written.deleteOne({ _id });
      await this.goOn();
    }
  }

  /** Says that nothing is left to do. @throws BackupError when another process has taken over. */
  async end(session?: mongo.ClientSession): Promise<void> {
    await this.hold(session);
    await this.written.deleteMany(this.own, { session });
    await marksOf(this.connection).deleteOne({ _id: this.organization }, { session });
  }

  private async hold(session?: mongo.ClientSession): Promise<void> {
    const filter = { _id: this.organization, holder: this.holder };
    const set = { $set: { until: new Date(Date.now() + LEASE) } };
    const { matchedCount } = await marksOf(this.connection).updateOne(filter, set, { session });
    if (matchedCount === 0) throw new BackupError('Another process has taken the restoration over');
  }

  private get own() {
    return { _id: { $gt: `${this.organization}/`, $lt: `${this.organization}0` } };
  }

  private get written() {
    return this.connection.collection<WrittenBatch>('restored_batches');
  }
}

const marksOf = (connection: Connection) => connection.collection<Restoration>('restorations');
