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
  /** Matches in folded text, wherever words begin and end. */
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
      const longestFirst = [...new Set([word, ...others.slice(0, MAX_FORMS)])].sort((a, b) => b.length - a.length);
      return `(?:${longestFirst.map(literal).join('|')})`;
    });
    return {
      pattern: new RegExp(words.join('[^\\p{L}\\p{N}]{0,8}'), 'gu'),
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
  let first: number | undefined;
  for (const { pattern, open } of finders) {
    let tries = 0;
    for (const match of folded.matchAll(pattern)) {
      const start = offsetIn(text, folded, match.index);
      if (first !== undefined && start >= first) break;
      const end = offsetIn(text, folded, match.index + match[0].length);
      if (isBoundary(text, start) && (open || isBoundary(text, end))) {
        first = start;
        break;
      }
      if (++tries >= MAX_TRIES) break;
    }
  }
  return first;
}

/** Plain text around the place `hit` of `text`, cut between words. */
export function excerpt(text: string, hit: number): string {
  let start = Math.max(0, hit - LEAD);
  if (start > 0) {
    const space = text.slice(start, hit).search(/\s/);
    start = space < 0 ? hit : start + space;
  }
  const near = withoutHalves(text.slice(start, start + MAX_EXCERPT + LEAD));
  const plain = near.replace(/\s+/g, ' ').trim();
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
