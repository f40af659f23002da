import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SpacesService } from '../spaces/index.js';
import { Indexer } from './indexer.js';

/** How often spaces are looked for whose index is behind, in ms: what a crash left, or another process. */
const INTERVAL = 30_000;
/** Spaces that one look brings up to date. */
const BATCH = 50;

/**
 * Brings search to the content of spaces that large edits left behind: at once where the edit happened here, else
 * with the next look. The service starts it; the command line does not.
 */
@Injectable()
export class IndexSweep implements OnModuleDestroy {
  private readonly logger = new Logger('IndexSweep');
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly spaces: SpacesService,
    private readonly indexer: Indexer,
  ) {}

  /** Looks for spaces that are behind, now and from time to time. */
  start(): void {
    this.timer = setInterval(() => {
      this.run(() => this.look());
    }, INTERVAL).unref();
    this.run(() => this.look());
  }

  /** Says that the index of `space` is behind. Nothing happens where the sweep was not started. */
  notice(space: string): void {
    if (this.timer) this.run(() => this.indexer.catchUp(space));
  }

  /** Starts no more, and waits for what is under way. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await Promise.all(this.running);
  }

  private async look(): Promise<void> {
    for (const space of await this.spaces.behindOnIndexing(BATCH)) {
      if (this.timer) await this.indexer.catchUp(space);
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
