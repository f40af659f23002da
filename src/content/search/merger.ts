import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { Database } from '../../database/index.js';
import type { Block } from './blocks.js';
import { dueParts, mergedBlocks, mergedTable } from './merge.js';
import type { SearchSegment, Table } from './search-segment.schema.js';
import { EMPTY_BLOCK, SegmentGone, Segments } from './segments.js';
import type { ViewSegment } from './view.js';

/** Wait before a space is looked after, in ms, so that a burst of edits is one piece of work. */
const DELAY = 200;
/** Age at which a segment that is not live belongs to no running merge any more, in ms. */
const REMAINS_AFTER = 10 * 60 * 1000;
/** Blocks that are written with one command. */
const WRITE_BATCH = 32;

/**
 * Keeps the segments of each space few, in the background: every page is copied about once for each eightfold growth of
 * its space. A merge that dies leaves the index as it was, and so does one that comes too late.
 */
@Injectable()
export class SegmentMerger implements OnModuleDestroy {
  private readonly logger = new Logger('Search');
  // a merge must not join the transaction of the edit that made it due
  private readonly outside = AsyncLocalStorage.snapshot();
  private readonly due = new Map<string, NodeJS.Timeout>();
  private work: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly segments: Segments,
    private readonly database: Database,
  ) {}

  /** Has `space` looked after soon. */
  notice(space: string): void {
    if (this.stopped || this.due.has(space)) return;
    this.outside(() => {
      const timer = setTimeout(() => {
        this.due.delete(space);
        this.settle(space).catch((error: unknown) => {
          this.logger.warn(`The search index of space ${space} is merged after a later edit: ${String(error)}`);
        });
      }, DELAY);
      timer.unref();
      this.due.set(space, timer);
    });
  }

  /** Merges segments of `space` until they are few enough, after what is at work already; outside transactions. */
  settle(space: string): Promise<void> {
    const work = this.work.then(() => this.mergeAll(space));
    this.work = work.catch(() => undefined);
    return work;
  }

  /** Resolves when the merge that is running has come to its end; no other begins. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    for (const timer of this.due.values()) clearTimeout(timer);
    await this.work;
  }

  private async mergeAll(space: string): Promise<void> {
    while (!this.stopped) {
      const list = (await this.segments.list([space])).get(space) ?? [];
      const parts = dueParts(list);
      if (parts.length === 0) break;
      try {
        await this.merge(space, list, parts);
      } catch (error) {
        // another process has merged these parts, or the space was cleared: what is left is seen in the next turn
        if (!(error instanceof SegmentGone)) throw error;
      }
    }
    await this.segments.drop(await this.segments.remains(space, new Date(Date.now() - REMAINS_AFTER)));
  }

  private async merge(space: string, list: SearchSegment[], parts: SearchSegment[]): Promise<void> {
    const ids = parts.map(({ _id }) => _id);
    const [view] = await this.segments.viewAll(new Map([[space, list]]));
    if (!view) return;
    const inputs = view.segments.filter(({ id }) => ids.includes(id));
    const table = mergedTable(view, inputs);
    const merged = newId();
    const sequence = Math.max(...parts.map((part) => part.sequence));
    const size = table.pages.length + table.removed.length;
    await this.segments.open({ _id: merged, space, sequence, size, live: false });
    try {
      await this.copy(inputs, merged, table);
    } catch (error) {
      await this.segments.drop([merged]);
      throw error;
    }
    try {
      await this.database.transaction(() => this.segments.replace(ids, merged));
    } catch (error) {
      // after any other error the merged one may be live, as nobody knows whether a commit without an answer happened
      if (error instanceof SegmentGone) await this.segments.drop([merged]);
      throw error;
    }
    await this.segments.drop(ids);
  }

  /** Writes the words of `inputs` as blocks of the segment `merged`; the first one comes last, when `table` is complete. */
  private async copy(inputs: ViewSegment[], merged: string, table: Table): Promise<void> {
    let first: Block | undefined;
    let waiting: Block[] = [];
    let written = 1;
    const store = async (): Promise<void> => {
      await this.segments.write(merged, written, waiting);
      written += waiting.length;
      waiting = [];
    };
    for await (const block of mergedBlocks(inputs, (id) => this.segments.readOnce(id))) {
      table.words.push(block.first);
      if (first) waiting.push(block);
      else first = block;
      if (waiting.length >= WRITE_BATCH) await store();
    }
    await store();
    await this.segments.write(merged, 0, [first ?? EMPTY_BLOCK], table);
  }
}
