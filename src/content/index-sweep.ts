import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../common/domain-events.js';
import { Database } from '../database/index.js';
import { Jobs } from '../jobs/index.js';
import { SpacesService } from '../spaces/index.js';
import { Indexer } from './indexer.js';

/** How often spaces are looked for whose index is behind, in ms: what a crash left, or another process. */
const INTERVAL = 30_000;
/** Spaces that one look brings up to date. */
const BATCH = 50;

/**
 * Brings search and links to the content of spaces that large edits left behind: at once where the edit happened here,
 * else with the next look, which is a job. The service starts it; the command line does not.
 */
@Injectable()
export class IndexSweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('IndexSweep');
  private readonly running = new Set<Promise<void>>();
  private started = false;

  constructor(
    private readonly spaces: SpacesService,
    private readonly indexer: Indexer,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly database: Database,
  ) {}

  /** Says when it looks, and what it follows at once. */
  onModuleInit(): void {
    this.jobs.every('index-content', INTERVAL, ({ signal, touch }) =>
      this.look(async () => {
        signal.throwIfAborted();
        await touch();
      }),
    );
    this.events.on('space.duplicated', ({ space }) => {
      this.database.afterCommit(() => {
        this.notice(space);
      });
      return Promise.resolve();
    });
  }

  /** From now on follows large edits at once; looks for what was left behind before. */
  start(): void {
    this.started = true;
    this.run(() => this.look());
  }

  /** Says that the index of `space` is behind. Nothing happens where the sweep was not started. */
  notice(space: string): void {
    if (this.started) this.run(() => this.indexer.catchUp(space));
  }

  /** Starts no more, and waits for what is under way. */
  async onModuleDestroy(): Promise<void> {
    this.started = false;
    await Promise.all(this.running);
  }

  private async look(step: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (const space of await this.spaces.behindOnIndexing(BATCH)) {
      await step();
      if (this.started) await this.indexer.catchUp(space);
    }
  }

  private run(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => {
        // the mark on the space stays, so the next look takes it up again
        this.logger.error({ err: error });
      })
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }
}
