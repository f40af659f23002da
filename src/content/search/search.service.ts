import { BadRequestException, Injectable } from '@nestjs/common';
import { batchesOf } from '../../common/batches-of.js';
import type { Page } from '../../common/page.dto.js';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, listScope } from '../../common/pagination.js';
import { Slots } from '../../common/slots.js';
import { type Finder, findersFor, type FoundSection, matchingSections } from './excerpt.js';
import { unconditional } from './conditional.js';
import { blocksFor, type Match, matchUnits } from './matching.js';
import { parseQuery, type Unit } from './query.js';
import { best, type Hits, type Place, type Ranked, scorePages, selecting, statisticsOf } from './rank.js';
import { beside, type MemoryPages } from './memory-pages.js';
import { type Section, SectionSource } from './section-source.js';
import { EMPTY_BLOCK, SegmentGone, Segments } from './segments.js';
import { type PagePlace, placeOf, type View, viewOf } from './view.js';

/** Pages of one space that a search over several spaces shows. */
const PAGES_OF_SPACE = 10;
/** Spaces that are searched at once. */
const VIEW_BATCH = 50;
/** Documents that are in memory at once. */
const DOCUMENT_BATCH = 100;
/** Searches at a time: one computes while another reads. More would only make each other late. */
const AT_ONCE = 2;
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
  spaces: { view: View; hits: Hits }[];
  finders: Finder[];
}

type ScoredPage = PagePlace & { score: number };

/** Finds pages by words. */
@Injectable()
export class SearchService {
  private readonly turns = new Slots(AT_ONCE);

  constructor(
    private readonly segments: Segments,
    private readonly source: SectionSource,
  ) {}

  /**
   * The pages of `space` that have words of `query`, best first; none for a query without any word.
   * @throws BadRequestException for a blank query, and a cursor of another search.
   */
  searchSpace(space: string, query: string, part: SearchQuery = {}): Promise<Page<FoundPage>> {
    return this.turns.run(() => this.inSpace(space, query, part));
  }

  private async inSpace(space: string, query: string, part: SearchQuery): Promise<Page<FoundPage>> {
    const { spaces, finders } = await this.find([space], query, part);
    const scope = listScope('search', space, query);
    const [found] = spaces;
    if (!found) return { ...pageOf([], String, scope, part), count: 0, items: [] };
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
    return this.turns.run(() => this.inSpaces(spaces, query, part, list));
  }

  private async inSpaces(spaces: string[], query: string, part: SearchQuery, list: unknown): Promise<Page<FoundSpace>> {
    const { spaces: found, finders } = await this.find(spaces, query, part);
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
  private async find(spaces: string[], query: string, part: SearchQuery): Promise<Results> {
    if (query.trim() === '') throw new BadRequestException('query must not be blank');
    const units = parseQuery(query);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return resultsOf(units, units.length > 0 ? await this.match(spaces, units, part) : []);
      } catch (error) {
        if (!(error instanceof SegmentGone) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  private async match(spaces: string[], units: Unit[], { beside: others }: SearchQuery): Promise<Match[]> {
    const views = withOthers(await this.segments.viewAll(await this.segments.list(spaces)), others);
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

  /** What of each of `places` is shown: nothing of a page in which all that was found is kept back. */
  private async show(places: ScoredPage[], finders: Finder[], part: SearchQuery): Promise<FoundPage[][]> {
    const pages: FoundPage[][] = [];
    for (const batch of batchesOf(places, DOCUMENT_BATCH)) {
      const documents = await this.sections([...new Set(batch.map(({ document }) => document))], part);
      for (const { page, score, document } of batch) {
        const all = documents.get(document) ?? [];
        const told = part.unconditional ? unconditional(all) : all;
        const sections = matchingSections(told, finders);
        pages.push(told !== all && sections.length === 0 && isCut(all, told) ? [] : [{ page, score, sections }]);
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

/** Whether `told` is less than all that there is. */
const isCut = (all: readonly Section[], told: readonly Section[]): boolean =>
  told.length < all.length || told.some((section, index) => section !== all[index]);

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
