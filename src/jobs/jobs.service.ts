import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Agenda, Job } from 'agenda';
import type { Connection } from 'mongoose';
import type { JobRepository } from './job-repository.js';

/** How often jobs that are due are looked for, ms. */
const POLL = 5000;
/** How long a job that says nothing stays with the process that took it, ms: with {@link POLL}, a crashed one is free within a minute. */
const LOCK = 50_000;

/** What a handler works with. */
export interface JobRun {
  /** Aborted when the service stops, or the job was lost to another process: end with the batch under way. */
  signal: AbortSignal;
  /** Says that the job goes on; to be called more often than every 50 s. @throws when the job was lost. */
  touch: () => Promise<void>;
}

/** A run in this process. */
interface Running {
  job: Job;
  controller: AbortController;
  /** Resolves when the job is free again. */
  ended: Promise<void>;
  end: () => void;
}

export type JobHandler = (run: JobRun) => Promise<void>;

/** How one run of a job went. */
export interface JobReport {
  name: string;
  ms: number;
  failed: boolean;
}

/** How fast jobs are found and lost, for tests. */
export interface JobTimes {
  /** ms */
  poll?: number;
  /** ms */
  lock?: number;
}

/**
 * Background jobs. A job is only a wake-up: what is to be done stands in records that were written with the change, and
 * the handler looks for them, so that a wake-up that is lost or comes twice does no harm. A job runs in one process at a
 * time. Nothing runs before {@link start}; the command line never starts it.
 */
@Injectable()
export class Jobs implements OnModuleDestroy {
  private readonly logger = new Logger('Jobs');
  private readonly definitions = new Map<string, { interval: number; handler: JobHandler }>();
  private readonly observers: ((report: JobReport) => void)[] = [];
  private readonly running = new Map<string, Running>();
  private started: { agenda: Agenda; repository: JobRepository } | undefined;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Says what the job `name` does; it is due every `interval` ms. Modules say so in `onModuleInit`. */
  every(name: string, interval: number, handler: JobHandler): void {
    this.definitions.set(name, { interval, handler });
  }

  /** Has a job run as soon as somebody is free for it; where nothing was started yet, with the first start. */
  async now(name: string): Promise<void> {
    await this.started?.repository.wake(name);
  }

  /** Has `observer` told of every run in this process. */
  observe(observer: (report: JobReport) => void): void {
    this.observers.push(observer);
  }

  /** Names of all jobs, and of those that run in this process. */
  names(): { all: string[]; running: string[] } {
    return { all: [...this.definitions.keys()], running: [...this.running.keys()] };
  }

  /** Begins to take jobs that are due. */
  async start({ poll = POLL, lock = LOCK }: JobTimes = {}): Promise<void> {
    const { db } = this.connection;
    if (this.started || !db) return;
    // not before: it takes a tenth of the time that a start takes, and the command line has no use for it
    const [{ Agenda }, { backendOf, JobRepository, LockLost }] = await Promise.all([
      import('agenda'),
      import('./job-repository.js'),
    ]);
    const repository = new JobRepository(db, db.collection('jobs'));
    const agenda = new Agenda({
      backend: backendOf(repository),
      processEvery: poll,
      defaultLockLifetime: lock,
      defaultConcurrency: 1,
      defaultLockLimit: 1,
    });
    agenda.on('error', (error: Error) => {
      if (!(error instanceof LockLost)) this.logger.error({ err: error });
    });
    agenda.on('complete', (job: Job) => {
      const run = this.running.get(job.attrs.name);
      if (run?.job !== job) return;
      this.running.delete(job.attrs.name);
      run.end();
    });
    this.started = { agenda, repository };
    for (const [name, { interval, handler }] of this.definitions) {
      agenda.define(name, (job: Job) => this.run(job, handler));
      await repository.ensure(name, interval);
    }
    await agenda.start();
  }

  /** Takes no more jobs, asks those that run to stop, and waits for them. */
  async onModuleDestroy(): Promise<void> {
    const { started } = this;
    if (!started) return;
    this.started = undefined;
    await started.repository.close();
    for (const { controller } of this.running.values()) controller.abort();
    await started.agenda.stop();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private async run(job: Job, handler: JobHandler): Promise<void> {
    const { name } = job.attrs;
    // a run that took so long that its job was lost is still at work here
    if (this.running.has(name)) return;
    const controller = new AbortController();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.running.set(name, { job, controller, ended, end });
    const touch = async (): Promise<void> => {
      await job.touch().catch((error: unknown) => {
        controller.abort();
        throw error;
      });
    };
    const begun = performance.now();
    let failed = true;
    try {
      await handler({ signal: controller.signal, touch });
      failed = false;
    } catch (error) {
      this.logger.error({ err: error, job: name });
      throw error;
    } finally {
      const ms = performance.now() - begun;
      for (const observer of this.observers) observer({ name, ms, failed });
    }
  }
}
