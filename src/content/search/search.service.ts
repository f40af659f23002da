import { BadRequestException, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { batchesOf } from '../../common/batches-of.js';
import { deepFreeze } from '../../common/deep-freeze.js';
import type { Page } from '../../common/page.dto.js';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, listScope } from '../../common/pagination.js';
import { Slots } from '../../common/slots.js';
import { type Finder, findersFor, type FoundSection, matchingSections } from './excerpt.js';
import { blocksFor, type Match, matchUnits } from './matching.js';
import { parseQuery, type Unit } from './query.js';
import { best, type Hits, type Place, type Ranked, scorePages, selecting, statisticsOf } from './rank.js';
import { beside, type MemoryPages } from './memory-pages.js';
import { type Section, SectionSource } from './section-source.js';
import type { SearchSegment } from './search-segment.schema.js';
import { EMPTY_BLOCK, SegmentGone, type SegmentLists, Segments } from './segments.js';
import { type PagePlace, placeOf, type View, viewOf } from './view.js';

/** Pages of one space that a search over several spaces shows. */
const PAGES_OF_SPACE = 10;
/** Spaces that are searched at once. */
const VIEW_BATCH = 50;
/** Documents that are in memory at once. */
const DOCUMENT_BATCH = 100;
/** Searches at a time: one computes while another reads. More would only make each other late. */
const AT_ONCE = 2;
/** Of the best pages so many are looked at before a visitor is told how many there are: more say little of any one of them. */
const LOOKED_AT = 100;
/** Memory for what was found, in bytes. */
const ANSWERS = 4 * 1024 * 1024;
/** Searches that are remembered to have been made. */
const ASKED = 2000;
/** Reads that met a merge before the caller is told. */
const ATTEMPTS = 5;

/** Which part of the results is asked for. */
export interface SearchQuery {
  page?: string;
  limit?: number;
  /** Whether what stands under a condition is kept back: for visitors, of whom conditions may hide it. */
  unconditional?: boolean;
  /** Pages that are searched beside those of the index, by space. */
  beside?: ReadonlyMap<string, MemoryPages>;
}

/** A page that was found, with the sections that have something of the query. */
export interface FoundPage {
  page: string;
  score: number;
  sections: FoundSection[];
}

/** A space in which something was found, with its best pages. */
export interface FoundSpace {
  space: string;
  pages: FoundPage[];
}

/** All that was found in some spaces. */
interface Results {
  spaces: SpaceHits[];
  finders: Finder[];
}

interface SpaceHits {
  view: View;
  hits: Hits;
}

type ScoredPage = PagePlace & { score: number };

/** Finds pages by words. */
@Injectable()
export class SearchService {
  private readonly turns = new Slots(AT_ONCE);
  private readonly asked = new LRUCache<string, true>({ max: ASKED });
  private readonly answers = new LRUCache<string, Page<FoundPage>>({ maxSize: ANSWERS, sizeCalculation: weigh });

  constructor(
    private readonly segments: Segments,
    private readonly source: SectionSource,
  ) {}

  /**
   * The pages of `space` that have words of `query`, best first; none for a query without any word.
   * @throws BadRequestException for a blank query, and a cursor of another search.
   */
  async searchSpace(space: string, query: string, part: SearchQuery = {}): Promise<Page<FoundPage>> {
    requireWords(query);
    return this.again(async () => {
      const lists = await this.segments.list([space]);
      const key = keyOf({ space, query, part }, lists.get(space) ?? []);
      const known = key === undefined ? undefined : this.answers.get(key);
      if (known) return known;
      const found = await this.turns.run(() => this.inSpace(space, query, part, lists));
      if (key !== undefined) this.keep(key, found);
      return found;
    });
  }

  /** Keeps what was found for the second time: most words are searched for once, and a copy takes time. */
  private keep(key: string, found: Page<FoundPage>): void {
    if (this.asked.get(key)) this.answers.set(key, apart(found));
    else this.asked.set(key, true);
  }

  private async inSpace(
    space: string,
    query: string,
    part: SearchQuery,
    lists: SegmentLists,
  ): Promise<Page<FoundPage>> {
    const { spaces, finders } = await this.match(lists, query, part);
    const scope = listScope('search', space, query);
    const [found] = spaces;
    if (!found) return { ...pageOf([], String, scope, part), count: 0, items: [] };
    if (part.unconditional) await this.withhold([found], { finders, most: LOOKED_AT, part });
    const { next, items } = pageOf(found.hits.scores, (number) => placeOf(found.view, number).page, scope, part);
    const pages = await this.show(pagesOf(found.view, items), finders, part);
    return { ...(next && { next }), count: found.hits.count, items: pages.flat() };
  }

  /**
   * Those of `spaces` in which something of `query` is found, best first, each with its ten best pages.
   * @param list What tells this search from others while `spaces`, those that the caller sees, may change.
   * @throws BadRequestException for a blank query, and a cursor of another search.
   */
  searchSpaces(
    spaces: string[],
    query: string,
    part: SearchQuery = {},
    list: unknown = spaces.toSorted(),
  ): Promise<Page<FoundSpace>> {
    requireWords(query);
    return this.turns.run(() =>
      this.again(async () => this.inSpaces(await this.segments.list(spaces), query, part, list)),
    );
  }

  private async inSpaces(
    lists: SegmentLists,
    query: string,
    part: SearchQuery,
    list: unknown,
  ): Promise<Page<FoundSpace>> {
    const { spaces: all, finders } = await this.match(lists, query, part);
    const found = part.unconditional ? await this.toldOf(all, finders, part) : all;
    const scope = listScope('search', list, query);
    const scores = found.map(({ hits }) => hits.most);
    const { next, items } = pageOf(scores, (at) => found[at]?.view.space ?? '', scope, part);
    const places = items.map(({ at }) => {
      const space = found[at];
      if (!space) return [];
      const { view, hits } = space;
      return pagesOf(view, best(hits.scores, (number) => placeOf(view, number).page, PAGES_OF_SPACE).items);
    });
    const pages = await this.show(places.flat(), finders, part);
    const groups = items.map(({ id }, index) => ({ space: id, pages: pages.splice(0, places[index]?.length).flat() }));
    return { ...(next && { next }), count: found.length, items: groups };
  }

  /** Searches again when a merge came between. */
  private async again<T>(search: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await search();
      } catch (error) {
        if (!(error instanceof SegmentGone) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  private async match(lists: SegmentLists, query: string, part: SearchQuery): Promise<Results> {
    const units = parseQuery(query);
    return resultsOf(units, units.length > 0 ? await this.matches(lists, units, part) : []);
  }

  private async matches(lists: SegmentLists, units: Unit[], { beside: others }: SearchQuery): Promise<Match[]> {
    const views = withOthers(await this.segments.viewAll(lists), others);
    const inMemory = (view: View, id: string): Buffer | undefined => others?.get(view.space)?.blocks.get(id);
    const matches: Match[] = [];
    for (const batch of batchesOf(views, VIEW_BATCH)) {
      const wanted = batch.flatMap((view) => blocksFor(view, units).filter((id) => !inMemory(view, id)));
      const blocks = await this.segments.read(wanted);
      for (const view of batch) {
        const read = (id: string): Buffer => inMemory(view, id) ?? blocks.get(id)?.data ?? EMPTY_BLOCK.data;
        matches.push(matchUnits(view, units, read));
      }
    }
    return matches;
  }

  /** Those of `found` in which a visitor is told of one of the best pages. */
  private async toldOf(found: SpaceHits[], finders: Finder[], part: SearchQuery): Promise<SpaceHits[]> {
    let open = found;
    // mostly the best page is to be told of
    for (const most of [1, PAGES_OF_SPACE]) open = await this.withhold(open, { finders, most, part });
    const untold = new Set(open);
    return found.filter((space) => !untold.has(space));
  }

  /**
   * Takes out of the hits of `spaces` those of the best `most` pages in which all that was found is kept back from visitors, so
   * that neither results nor numbers tell of them. Answers the spaces in which that was each of them.
   */
  private async withhold(
    spaces: SpaceHits[],
    { finders, most, part }: { finders: Finder[]; most: number; part: SearchQuery },
  ): Promise<SpaceHits[]> {
    const looked = spaces.map(
      ({ view, hits }) => best(hits.scores, (number) => placeOf(view, number).page, most).items,
    );
    const places = spaces.flatMap(({ view }, index) => pagesOf(view, looked[index] ?? []));
    const shown = await this.show(places, finders, part);
    return spaces.filter(({ hits }, index) => {
      const own = looked[index] ?? [];
      const withheld = shown.splice(0, own.length).flatMap((pages, at) => (pages.length === 0 ? (own[at] ?? []) : []));
      for (const { at } of withheld) hits.scores[at] = 0;
      hits.count -= withheld.length;
      hits.most = hits.scores.reduce((high, score) => Math.max(high, score), 0);
      return withheld.length === own.length;
    });
  }

  /** What of each of `places` is shown: nothing of a page in which all that was found is kept back. */
  private async show(places: ScoredPage[], finders: Finder[], part: SearchQuery): Promise<FoundPage[][]> {
    const pages: FoundPage[][] = [];
    for (const batch of batchesOf(places, DOCUMENT_BATCH)) {
      const documents = await this.sections([...new Set(batch.map(({ document }) => document))], part);
      const cut = part.unconditional ? await this.source.cut(storedOf(documents, part)) : new Map<string, Section[]>();
      for (const { page, score, document } of batch) {
        const told = cut.get(document);
        const sections = matchingSections(told ?? documents.get(document) ?? [], finders);
        pages.push(told && sections.length === 0 ? [] : [{ page, score, sections }]);
      }
    }
    return pages;
  }

  private async sections(documents: string[], { beside: others }: SearchQuery): Promise<Map<string, Section[]>> {
    const inMemory = [...(others?.values() ?? [])].flatMap(({ sections }) =>
      documents.flatMap((key) => {
        const found = sections.get(key);
        return found ? [[key, found] as const] : [];
      }),
    );
    const found = new Map(inMemory);
    const stored = documents.filter((key) => !found.has(key));
    return new Map([...found, ...(stored.length > 0 ? await this.source.sections(stored) : [])]);
  }
}

function requireWords(query: string): void {
  if (query.trim() === '') throw new BadRequestException('query must not be blank');
}

/**
 * What an answer follows from, all of it: neither segments nor the texts that they name ever change. `undefined` where pages are searched
 * that are not of the index.
 */
function keyOf(
  { space, query, part }: { space: string; query: string; part: SearchQuery },
  segments: readonly SearchSegment[],
): string | undefined {
  const { page, limit, unconditional = false, beside: others } = part;
  if (others && others.size > 0) return undefined;
  return JSON.stringify([space, segments.map(({ _id }) => _id), query, page, limit, unconditional]);
}

/** `found` as it may be kept: its excerpts are pieces of texts, and would each hold on to a whole one. */
const apart = (found: Page<FoundPage>): Page<FoundPage> =>
  deepFreeze(JSON.parse(JSON.stringify(found)) as Page<FoundPage>);

/** About how many bytes an answer takes in memory, with its key. */
function weigh({ items }: Page<FoundPage>, key: string): number {
  const bytesOf = ({ title, body, anchor }: FoundSection): number => 2 * (title.length + body.length + anchor.length);
  const sections = items.flatMap((page) => page.sections.map((section) => 150 + bytesOf(section)));
  return 2 * key.length + 300 * (1 + items.length) + sections.reduce((sum, size) => sum + size, 0);
}

/** Those of `documents` that are stored: in the others, nothing that is searched stands under a condition. */
function storedOf(documents: ReadonlyMap<string, Section[]>, { beside: others }: SearchQuery): Map<string, Section[]> {
  const made = [...(others?.values() ?? [])];
  return new Map([...documents].filter(([key]) => !made.some(({ sections }) => sections.has(key))));
}

/** `views` with the pages beside them; a space that has no others gets a view of its own. */
function withOthers(views: View[], others: SearchQuery['beside']): View[] {
  if (!others) return views;
  const known = new Set(views.map(({ space }) => space));
  const empty = [...others.keys()].filter((space) => !known.has(space)).map((space) => viewOf(space, []));
  return [...views, ...empty].map((view) => {
    const pages = others.get(view.space);
    return pages ? beside(view, pages) : view;
  });
}

function resultsOf(units: Unit[], matches: Match[]): Results {
  const statistics = statisticsOf(matches);
  const selects = selecting(statistics);
  const spaces = matches.map((match) => ({ view: match.view, hits: scorePages(match, statistics) }));
  const forms = units.map(({ slots }, unit) =>
    slots.map((_, slot) => new Set(matches.flatMap(({ found }) => [...(found[unit]?.[slot] ?? [])]))),
  );
  const finders = findersFor(units, forms).filter((_, unit) => selects[unit]);
  return { spaces: spaces.filter(({ hits }) => hits.count > 0), finders };
}

const pagesOf = (view: View, places: Place[]): ScoredPage[] =>
  places.map(({ at, score }) => ({ ...placeOf(view, at), score }));

function pageOf(
  scores: ArrayLike<number>,
  idOf: (at: number) => string,
  scope: string,
  { page, limit = DEFAULT_LIMIT }: SearchQuery,
): Pick<Page<Place>, 'next' | 'items'> {
  const { items, more } = best(scores, idOf, limit, page === undefined ? undefined : cursorOf(scope, page));
  const last = items.at(-1);
  const next = more && last && { page: encodeCursor(scope, { at: last.score, id: last.id }) };
  return { ...(next && { next }), items };
}

function cursorOf(scope: string, page: string): Ranked {
  const { at, id } = decodeCursor(scope, page);
  return { score: Number(at), id };
}
