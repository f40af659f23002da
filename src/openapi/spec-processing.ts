import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type JobRun, Jobs } from '../jobs/index.js';
import { SpecProcessor } from './spec-processor.js';
import { type Leased, SpecQueue } from './spec-queue.js';

/** How often descriptions that are due are looked for, ms: what is due again, what a crash left, what others noted. */
const INTERVAL = 30_000;
/** Descriptions that a process looks at at a time: fetching waits for others, reading takes turns. */
const AT_ONCE = 4;
/** How often a look says that it goes on, ms: several times within a lease. */
const BEAT = 10_000;

/**
 * Looks at descriptions that are due: at once where a request noted it here, else with the next job. Each is leased while
 * somebody looks at it, so that no two processes look at one at a time, and one that died is taken over.
 */
@Injectable()
export class SpecProcessing implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('SpecProcessing');
  private readonly closing = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly queue: SpecQueue,
    private readonly processor: SpecProcessor,
    private readonly jobs: Jobs,
  ) {}

  /** Says when it looks. */
  onModuleInit(): void {
    this.jobs.every('process-openapi', INTERVAL, (run) => this.job(run));
  }

  /** Says that a description is due: it is looked at here as soon as there is room. */
  notice(): void {
    if (this.running.size >= AT_ONCE || this.closing.signal.aborted) return;
    const running = this.drain()
      .catch((error: unknown) => {
        // what is due stays due, so the next job takes it up
        if (!this.closing.signal.aborted) this.logger.error({ err: error });
      })
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Breaks off what is under way, which is let go of, and waits for that. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort(new Error('The service is shutting down'));
    await Promise.all(this.running);
  }

  private async job({ signal, touch }: JobRun): Promise<void> {
    for (let count = this.running.size; count < AT_ONCE; count += 1) this.notice();
    // looks that began here or there end by themselves; a job that is lost leaves them be
    while (this.running.size > 0 && !signal.aborted) {
      await Promise.race([Promise.all(this.running), pause(BEAT)]);
      await touch();
    }
  }

  private async drain(): Promise<void> {
    for (;;) {
      this.closing.signal.throwIfAborted();
      const spec = await this.queue.take();
      if (!spec) return;
      await this.look(spec);
    }
  }

  private async look(spec: Leased): Promise<void> {
    const given = new AbortController();
    const beat = setInterval(() => {
      // a beat that fails is no reason to stop: the lease is longer than several
      void this.queue.renew(spec).then(
        (isWanted) => {
          if (!isWanted) given.abort(new Error('The source has changed'));
        },
        () => undefined,
      );
    }, BEAT);
    try {
      const signal = AbortSignal.any([given.signal, this.closing.signal]);
      const outcome = await this.processor.process(spec, signal);
      if (!(await this.queue.finish(spec, outcome))) await this.queue.release(spec);
    } catch (error) {
      const isOver = given.signal.aborted || this.closing.signal.aborted;
      // what failed by no fault of the source is tried again when the lease has run out
      if (isOver) await this.queue.release(spec);
      else this.logger.error({ err: error, spec: spec._id });
    } finally {
      clearInterval(beat);
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
