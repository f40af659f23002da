import { Injectable } from '@nestjs/common';
import { batchesOf } from '../../common/batches-of.js';
import { newId } from '../../common/ids.js';
import type { SearchEntry } from './analysis.js';
import type { Block } from './blocks.js';
import { blocksOf } from './entry-blocks.js';
import { dueParts } from './merge.js';
import { SegmentMerger } from './merger.js';
import type { SearchSegment, Table } from './search-segment.schema.js';
import { EMPTY_BLOCK, Segments } from './segments.js';

/** Pages that are written as one segment, at the most: what is in memory at once. */
const BATCH = 250;

/** Where the next segment of a space stands. */
export interface SearchPlace {
  /** Its number. */
  next: number;
  /** Those that are searched, as far as it is known. */
  segments: Pick<SearchSegment, 'size'>[];
}

/**
 * What search knows of the pages of spaces. Writes join a surrounding transaction, and searches see them from its end on.
 * An edit of one page writes two records; segments are merged in the background.
 */
@Injectable()
export class SearchIndex {
  constructor(
    private readonly segments: Segments,
    private readonly merger: SegmentMerger,
  ) {}

  /** Where the next writes of `space` stand among all; they are given it, where nothing else is written to the space in between. */
  async place(space: string): Promise<SearchPlace> {
    const segments = (await this.segments.list([space])).get(space) ?? [];
    return { next: (segments[0]?.sequence ?? 0) + 1, segments: [...segments] };
  }

  /**
   * Writes pages that are new or have changed; of several entries for one page the last counts.
   * @param place As it was read; where it is not given, it is read now.
   */
  async put(space: string, entries: SearchEntry[], place?: SearchPlace): Promise<void> {
    const pages = [...new Map(entries.map((entry) => [entry.page, entry])).values()];
    for (const batch of batchesOf(pages, BATCH)) {
      const documents = batch.map(({ document }) => document);
      const table = { pages: batch.map(({ page }) => page), documents, removed: [] };
      await this.publish(space, { table, blocks: blocksOf(batch) }, place);
    }
  }

  /** Takes pages out, by their ids; those that it never knew are no failure. */
  async remove(space: string, pages: string[], place?: SearchPlace): Promise<void> {
    if (pages.length === 0) return;
    await this.publish(space, { table: { pages: [], documents: [], removed: pages }, blocks: [] }, place);
  }

  /** Forgets all pages of `space`. */
  async clear(space: string): Promise<void> {
    await this.segments.drop(await this.segments.all(space));
  }

  /** Forgets a part of a space that is purged, about `limit` records; answers how many: fewer than `limit` at the end. */
  purge(space: string, limit: number): Promise<number> {
    return this.segments.dropSome(space, limit);
  }

  /** Key of the document that each page of `space` was entered with, by page: for checks of the whole. */
  async documents(space: string): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    for (const { segments } of await this.segments.viewAll(await this.segments.list([space]))) {
      for (const { table, hidden } of segments) {
        for (const [place, page] of table.pages.entries()) {
          if (hidden[place] === 0) known.set(page, table.documents[place] ?? '');
        }
      }
    }
    return known;
  }

  private async publish(
    space: string,
    { table, blocks }: { table: Omit<Table, 'words'>; blocks: Block[] },
    place?: SearchPlace,
  ): Promise<void> {
    const id = newId();
    const sequence = place ? place.next++ : await this.segments.nextSequence(space);
    const words = blocks.map(({ first }) => first);
    await this.segments.write(id, 0, blocks.length > 0 ? blocks : [EMPTY_BLOCK], { ...table, words });
    // after its blocks: where there are no transactions, nobody meets half a segment
    const size = table.pages.length + table.removed.length;
    await this.segments.open({ _id: id, space, sequence, size, live: true });
    place?.segments.push({ size });
    // most edits leave nothing to merge, and to look costs a fifth of an edit
    if (!place || dueParts(place.segments).length > 0) this.merger.notice(space);
  }
}
