import type { Posting } from './blocks.js';
import type { Section } from './section-source.js';
import { tokenise } from './words.js';

/** A page as search is told of it. */
export interface SearchEntry {
  /** Id of the page. */
  page: string;
  /** Key of its document, as the source of sections knows it. */
  document: string;
  title: string;
  description?: string;
  sections: Section[];
}

/** Places of one word in one page that are remembered; more do not help to find it. */
const MAX_POSITIONS = 1000;
/** Lies between two fields, so that no phrase reaches from one into the next. */
const FIELD_GAP = 2;
/** Impacts are whole numbers up to 255; the weights of all fields together are 9. */
const IMPACT_SCALE = 28;

/** Weight of a field, and the number of words beyond which one of them counts for less. */
const FIELDS = {
  title: { weight: 4, usual: 4 },
  description: { weight: 2, usual: 20 },
  heading: { weight: 2, usual: 20 },
  text: { weight: 1, usual: 400 },
} as const;
type Field = keyof typeof FIELDS;

interface Occurrences {
  positions: number[];
  frequencies: Partial<Record<Field, number>>;
}

/** Every word of `entries`, in order, with the pages it stands in; a page is named by its place in `entries`. */
export function invert(entries: SearchEntry[]): [word: string, postings: Posting[]][] {
  const words = new Map<string, Posting[]>();
  entries.forEach((entry, page) => {
    for (const [word, posting] of postingsOf(entry, page)) {
      const postings = words.get(word);
      if (postings) postings.push(posting);
      else words.set(word, [posting]);
    }
  });
  return [...words].sort(([a], [b]) => (a < b ? -1 : 1));
}

function* postingsOf(entry: SearchEntry, page: number): Generator<[string, Posting]> {
  const reader = new PageReader();
  reader.read('title', entry.title);
  reader.read('description', entry.description ?? '');
  for (const { title, text } of entry.sections) {
    reader.read('heading', title);
    reader.read('text', text);
  }
  for (const [word, { positions, frequencies }] of reader.words) {
    yield [word, { page, impact: impactOf(frequencies, reader.lengths), positions }];
  }
}

/** Notes which words stand where in a page. */
class PageReader {
  readonly words = new Map<string, Occurrences>();
  readonly lengths: Record<Field, number> = { title: 0, description: 0, heading: 0, text: 0 };
  private position = 0;

  read(field: Field, text: string): void {
    for (const { parts, whole } of tokenise(text)) {
      if (whole !== undefined) this.note(whole, field);
      for (const part of parts) {
        this.note(part, field);
        this.position += 1;
      }
      this.lengths[field] += parts.length;
    }
    this.position += FIELD_GAP;
  }

  private note(word: string, field: Field): void {
    let occurrences = this.words.get(word);
    if (!occurrences) this.words.set(word, (occurrences = { positions: [], frequencies: {} }));
    const { positions, frequencies } = occurrences;
    if (positions.length < MAX_POSITIONS) positions.push(this.position);
    frequencies[field] = (frequencies[field] ?? 0) + 1;
  }
}

/** Each field adds its weight at the most: a title outweighs any number of repetitions in the text. */
function impactOf(frequencies: Occurrences['frequencies'], lengths: Record<Field, number>): number {
  let sum = 0;
  for (const [name, frequency] of Object.entries(frequencies)) {
    const field = name as Field;
    const { weight, usual } = FIELDS[field];
    const share = frequency / (0.5 + 0.5 * Math.min(3, lengths[field] / usual));
    sum += (weight * share) / (share + 0.66);
  }
  return Math.max(1, Math.round(sum * IMPACT_SCALE));
}
