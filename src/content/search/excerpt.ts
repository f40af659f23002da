import type { Unit } from './query.js';
import type { Section } from './section-source.js';
import { fold, isBoundary, withoutHalves } from './words.js';

/** Longest excerpt, in UTF-16 units. */
export const MAX_EXCERPT = 300;
/** Sections of one page that are shown. */
const MAX_SECTIONS = 20;
/** Text before the first hit that is shown with it, in UTF-16 units. */
const LEAD = 80;
/** Forms of one word that are looked for. */
const MAX_FORMS = 64;
/** Places in one text that are looked at for one unit. */
const MAX_TRIES = 100;

/** Finds one unit of a query in a text. */
export interface Finder {
  /** What all matches begin with: looking for that alone is many times faster. */
  beginning: string;
  /** Matches in folded text, at its `lastIndex` only, wherever words begin and end. */
  pattern: RegExp;
  /** Whether a word may go on behind the match. */
  open: boolean;
}

/** A section with what it says about a query. */
export interface FoundSection {
  anchor: string;
  title: string;
  /** Plain text around the first hit, or the beginning if only the heading has one; at most {@link MAX_EXCERPT}. */
  body: string;
}

/** What finds `units` in texts. @param forms For each unit and slot: the words that stand for it. */
export function findersFor(units: Unit[], forms: Set<string>[][]): Finder[] {
  return units.map(({ slots }, unit) => {
    const words = slots.map(({ word, prefix }, slot) => {
      const others = [...(forms[unit]?.[slot] ?? [])].filter((form) => !(prefix && form.startsWith(word)));
      return [...new Set([word, ...others.slice(0, MAX_FORMS)])].sort((a, b) => b.length - a.length);
    });
    const alternatives = words.map((longestFirst) => `(?:${longestFirst.map(literal).join('|')})`);
    return {
      beginning: sharedBeginning(words[0] ?? []),
      pattern: new RegExp(alternatives.join('[^\\p{L}\\p{N}]{0,8}'), 'uy'),
      open: slots.at(-1)?.prefix === true,
    };
  });
}

/** Those of `sections` in whose heading or text a finder finds something, in the order of the page. */
export function matchingSections(sections: Section[], finders: Finder[]): FoundSection[] {
  const found: FoundSection[] = [];
  for (const { anchor, title, text } of sections) {
    if (found.length >= MAX_SECTIONS) break;
    const place = firstHit(text, finders);
    if (place === undefined && firstHit(title, finders) === undefined) continue;
    found.push({ anchor, title, body: excerpt(text, place ?? 0) });
  }
  return found;
}

/** Where the first word begins that a finder finds in `text`, in UTF-16 units. */
export function firstHit(text: string, finders: Finder[]): number | undefined {
  const folded = fold(text);
  let first: Hit | undefined;
  for (const finder of finders) first = hitOf(finder, text, folded, first?.folded ?? folded.length) ?? first;
  return first?.start;
}

/** A place in a text, and in the folded text. */
interface Hit {
  start: number;
  folded: number;
}

/** The first place before `limit`, in the folded text, where `finder` finds something. */
function hitOf({ beginning, pattern, open }: Finder, text: string, folded: string, limit: number): Hit | undefined {
  const within = folded.slice(0, limit + Math.max(0, beginning.length - 1));
  let tries = 0;
  for (let at = within.indexOf(beginning); at >= 0 && at < limit && tries < MAX_TRIES;) {
    pattern.lastIndex = at;
    const match = pattern.exec(folded);
    if (match) {
      const start = offsetIn(text, folded, match.index);
      const end = offsetIn(text, folded, match.index + match[0].length);
      if (isBoundary(text, start) && (open || isBoundary(text, end))) return { start, folded: match.index };
      tries += 1;
    }
    at = within.indexOf(beginning, at + Math.max(1, match?.[0].length ?? 0));
  }
  return undefined;
}

/** What all of `words` begin with. */
function sharedBeginning([first = '', ...others]: string[]): string {
  let shared = first;
  for (const word of others) while (!word.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.isWellFormed() ? shared : shared.slice(0, -1);
}

/** Plain text around the place `hit` of `text`, cut between words. */
export function excerpt(text: string, hit: number): string {
  let start = Math.max(0, hit - LEAD);
  if (start > 0) {
    const space = text.slice(start, hit).search(/\s/);
    start = space < 0 ? hit : start + space;
  }
  const near = withoutHalves(text.slice(start, start + MAX_EXCERPT + LEAD));
  // most texts have single spaces alone, and looking is much cheaper than replacing
  const plain = (/\s\s|[^\S ]/.test(near) ? near.replace(/\s+/g, ' ') : near).trim();
  if (plain.length <= MAX_EXCERPT) return plain;
  const space = plain.lastIndexOf(' ', MAX_EXCERPT);
  return withoutHalves(plain.slice(0, space > MAX_EXCERPT / 2 ? space : MAX_EXCERPT));
}

const literal = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The place in `text` that has become `offset` in `folded`: folding makes some characters longer or shorter. */
function offsetIn(text: string, folded: string, offset: number): number {
  if (folded.length === text.length) return offset;
  let place = 0;
  for (let left = offset; left > 0 && place < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
    left -= character < '\x80' ? 1 : fold(character).length;
    place += character.length;
  }
  return place;
}
