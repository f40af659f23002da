import { BlockReader } from './blocks.js';
import type { Slot, Unit } from './query.js';
import { Starts } from './starts.js';
import { blocksWithin, type View, type ViewSegment } from './view.js';
import { stem } from './words.js';

/** What the pages of one view have of one unit, and of the query as a whole. */
export interface Match {
  view: View;
  /** For each unit: its weight in each page of the view, by the page's number; 0 where it is missing. */
  weights: Float32Array[];
  /** 1 for each page in which all words of the query follow each other, or that has a phrase in quotes. */
  phrases: Uint8Array;
  /** For each unit and slot: the words that were found to stand for it. */
  found: Set<string>[][];
}

/** Used in turn, as nothing here waits: room that each search made for itself would be most of what it leaves behind. */
const SCRATCH: [Starts, Starts] = [new Starts(), new Starts()];

/** How much other forms of a word, and words that it begins, count against the word itself. */
const SAME_STEM = 0.9;
const LONGER_WORD = 0.7;

/** The words among which are all that may stand for a slot. */
interface WordRange {
  /** What they begin with. */
  from: string;
  /** Comes after them. */
  to: string;
  /** Answers how well a word stands for the slot, 0 to 1. */
  accept: (word: string) => number;
}

/** A word that stands for a slot, in one segment. */
interface Form {
  word: string;
  /** How well it stands for the slot, 0 to 1. */
  factor: number;
  /** Where its postings lie. */
  data: Buffer;
  start: number;
  end: number;
  segment: ViewSegment;
}

/** Ids of the blocks that must be read to search `view` for `units`. */
export function blocksFor(view: View, units: Unit[]): string[] {
  const ranges = slotsOf(units).map(rangeOf);
  return view.segments.flatMap((segment) => ranges.flatMap(({ from, to }) => blocksWithin(segment, from, to)));
}

/** Searches `view` for `units`. @param read Answers a block that {@link blocksFor} named. */
export function matchUnits(view: View, units: Unit[], read: (id: string) => Buffer): Match {
  const match: Match = { view, weights: [], phrases: new Uint8Array(view.size), found: [] };
  const sequence: Form[][] = [];
  for (const { slots, whole, quoted } of units) {
    const forms = slots.map((slot) => formsOf(view, slot, read));
    const weights = leastOf(forms.map((slot) => raise(new Float32Array(view.size), slot)));
    if (forms.length > 1) keepOnly(weights, inOrder(forms, weights));
    if (quoted && forms.length > 1) weights.forEach((weight, page) => (match.phrases[page] = weight === 0 ? 0 : 1));
    match.weights.push(whole ? raise(weights, formsOf(view, whole, read)) : weights);
    match.found.push(forms.map((slot) => new Set(slot.map(({ word }) => word))));
    sequence.push(...forms);
  }
  if (units.length > 1) {
    const starts = inOrder(sequence, leastOf(match.weights));
    for (let page = 0; page < view.size; page += 1) if (starts.has(page)) match.phrases[page] = 1;
  }
  return match;
}

const slotsOf = (units: Unit[]): Slot[] => units.flatMap(({ slots, whole }) => (whole ? [...slots, whole] : slots));

function rangeOf({ word, prefix, exact }: Slot): WordRange {
  if (exact && !prefix) return { from: word, to: `${word}\0`, accept: (other) => (other === word ? 1 : 0) };
  const root = exact ? word : stem(word);
  // an ending may change the last letter of the stem: happy and happiness share happi
  const shared = root.slice(0, Math.max(2, root.length - 1));
  const isStemmed = !exact && root.length > 1 && word.startsWith(shared);
  const from = isStemmed ? shared : word;
  const accept = (other: string): number => {
    if (other === word) return 1;
    if (isStemmed && other.length > 2 && stem(other) === root) return SAME_STEM;
    return prefix && other.startsWith(word) ? LONGER_WORD : 0;
  };
  return { from, to: `${from}\uffff`, accept };
}

function formsOf(view: View, slot: Slot, read: (id: string) => Buffer): Form[] {
  const { from, to, accept } = rangeOf(slot);
  const prefix = Buffer.from(from, 'utf8');
  const forms: Form[] = [];
  for (const segment of view.segments) {
    for (const id of blocksWithin(segment, from, to)) {
      const reader = new BlockReader(read(id));
      for (const { word, start, end } of reader.entriesFrom(prefix)) {
        const factor = accept(word);
        if (factor > 0) forms.push({ word, factor, data: reader.data, start, end, segment });
      }
    }
  }
  return forms;
}

/** Raises `weights` to what the words of a slot weigh, where that is more. */
function raise(weights: Float32Array, slot: Form[]): Float32Array {
  for (const { data, start, end, factor, segment } of slot) {
    new BlockReader(data, start, end).postings((place, impact) => {
      const page = segment.offset + place;
      if (segment.hidden[place] === 0) weights[page] = Math.max(weights[page] ?? 0, impact * factor);
    });
  }
  return weights;
}

/** For each page the least of its weights; the first of `all` is used for it when it is the only one. */
function leastOf(all: Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = all;
  if (others.length === 0) return first;
  const least = first.slice();
  for (const weights of others) {
    for (let page = 0; page < least.length; page += 1) least[page] = Math.min(least[page] ?? 0, weights[page] ?? 0);
  }
  return least;
}

function keepOnly(weights: Float32Array, pages: Starts): void {
  for (let page = 0; page < weights.length; page += 1) if (weights[page] !== 0 && !pages.has(page)) weights[page] = 0;
}

/** Where, in those pages that have a weight, words for all slots stand one behind the other; until it is called again. */
function inOrder(slots: Form[][], weights: Float32Array): Starts {
  const sized = slots.map((forms, place) => {
    const size = forms.reduce((sum, { start, end }) => sum + end - start, 0);
    return { forms, place, size };
  });
  // the rarest first: of the common ones, only the pages that are left must be read
  sized.sort((a, b) => a.size - b.size);
  let [starts, next] = SCRATCH;
  starts.reset(weights.length);
  for (const [index, { forms, place }] of sized.entries()) {
    addStarts(next.reset(weights.length), forms, place, weights, index > 0 ? starts : undefined);
    [starts, next] = [next, starts];
    if (starts.empty) break;
  }
  return starts;
}

/** Adds to `starts` where a sequence may start that has a word of `slot` in the place `place`: only at those of `others`, if given. */
function addStarts(starts: Starts, slot: Form[], place: number, weights: Float32Array, others?: Starts): void {
  for (const { data, start, end, segment } of slot) {
    new BlockReader(data, start, end).postings((number, _, from, to) => {
      const page = segment.offset + number;
      if (!weights[page] || segment.hidden[number] !== 0 || others?.has(page) === false) return;
      starts.add(page, data, from, to, place, others);
    });
  }
}
