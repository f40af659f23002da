import { MongoJobRepository } from '@agendajs/mongo-backend';
import { Logger } from '@nestjs/common';
import type { AgendaBackend, JobParameters, JobRepositoryOptions } from 'agenda';
import { type mongo, Types } from 'mongoose';

const DUPLICATE = 11000;

/** The record of one job: when it is due, and whether somebody has it. */
interface JobRecord {
  _id: Types.ObjectId;
  name: string;
  nextRunAt: Date | null;
  lockedAt: Date | null;
}

/** A lock that this process holds. */
interface Held {
  lockedAt: Date;
  /** Whether the run has begun, so that a later time to run again is somebody else's wish. */
  begun: boolean;
}

/** Thrown when a job was taken over by somebody else: what had it must stop. */
export class LockLost extends Error {}

/**
 * Agenda's own storage, made strict: there is one record for each name, a process that starts leaves the locks of others
 * alone, a lock that was lost is not taken back, and a wish to run again that comes during a run is kept.
 */
export class JobRepository extends MongoJobRepository {
  private readonly logger = new Logger('Jobs');
  private readonly held = new Map<string, Held>();
  private readonly asking = new Set<Promise<unknown>>();
  private closed = false;

  constructor(
    db: mongo.Db,
    private readonly records: mongo.Collection<JobRecord>,
  ) {
    super({ mongo: db, db: { collection: records.collectionName }, ensureIndex: false });
  }

  /** Makes sure that the job is there, to be run at once and then every `interval` ms. */
  async ensure(name: string, interval: number): Promise<void> {
    const fields = { priority: 0, disabled: null, lastRunAt: null, lastFinishedAt: null, data: {} };
    const update = {
      $set: { type: 'single', repeatInterval: interval },
      $setOnInsert: { ...fields, lockedAt: null, nextRunAt: new Date() },
    };
    await this.records.updateOne({ name }, update, { upsert: true }).catch((error: unknown) => {
      // another process that starts at the same moment was first
      if ((error as { code?: unknown }).code !== DUPLICATE) throw error;
    });
  }

  /** Has the job run as soon as possible; once more when it is running. */
  async wake(name: string): Promise<void> {
    await this.records.updateOne({ name }, { $min: { nextRunAt: new Date() } });
  }

  /** Takes no job from now on, and resolves when none is being taken. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.asking);
  }

  /** The job when it is due and free, locked; a closed repository gives none. */
  override async getNextJobToRun(
    name: string,
    nextScanAt: Date,
    lockDeadline: Date,
    now: Date | undefined,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters | undefined> {
    if (this.isClosed()) return undefined;
    const asking = super.getNextJobToRun(name, nextScanAt, lockDeadline, now, options);
    const settled = asking.catch(() => undefined).finally(() => this.asking.delete(settled));
    this.asking.add(settled);
    const job = await asking;
    if (!job?.lockedAt) return undefined;
    this.held.set(idOf(job), { lockedAt: job.lockedAt, begun: false });
    if (!this.isClosed()) return job;
    await this.unlockJob(job);
    return undefined;
  }

  /** Writes how a run goes on. @throws LockLost when somebody else has the job by now. */
  override async saveJobState(job: JobParameters): Promise<void> {
    const held = this.held.get(idOf(job));
    if (!held) throw new LockLost(`The job ${job.name} is not held by this process`);
    const state = {
      lockedAt: job.lockedAt ?? null,
      lastRunAt: job.lastRunAt ?? null,
      lastFinishedAt: job.lastFinishedAt ?? null,
      failedAt: job.failedAt ?? null,
      failCount: job.failCount ?? null,
      failReason: job.failReason ?? null,
      ...(!held.begun && { nextRunAt: job.nextRunAt ?? null }),
    };
    const filter = { name: job.name, lockedAt: held.lockedAt };
    const { matchedCount } = await this.records.updateOne(filter, { $set: state });
    if (matchedCount === 0 || !job.lockedAt) this.held.delete(idOf(job));
    if (matchedCount === 0) throw new LockLost(`The job ${job.name} was taken over by another process`);
    held.begun = true;
    if (job.lockedAt) held.lockedAt = job.lockedAt;
  }

  /** Lets go of a job that was not begun. It does not throw, as Agenda does not listen: what stays locked is free after a while. */
  override async unlockJob(job: JobParameters): Promise<void> {
    await this.release([idOf(job)]).catch((error: unknown) => {
      this.logger.error({ err: error, job: job.name });
    });
  }

  /** Lets go of jobs that were not begun. */
  override async unlockJobs(ids: string[]): Promise<void> {
    await this.release(ids.map(String));
  }

  private isClosed(): boolean {
    return this.closed;
  }

  private async release(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const held = this.held.get(id);
      this.held.delete(id);
      if (!held) continue;
      const filter = { _id: new Types.ObjectId(id), lockedAt: held.lockedAt };
      await this.records.updateOne(filter, { $set: { lockedAt: null } });
    }
  }
}

/** What Agenda needs of a storage; no log of runs, and a connection that is somebody else's. */
export const backendOf = (repository: JobRepository): AgendaBackend => ({
  name: 'Colophon',
  repository,
  ownsConnection: false,
  connect: () => repository.connect(),
  disconnect: () => Promise.resolve(),
});

const idOf = (job: JobParameters): string => String(job._id);
