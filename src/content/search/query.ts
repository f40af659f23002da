import { type Token, tokenise } from './words.js';

/** Units of one query that are searched for; the others are left out. */
export const MAX_UNITS = 16;
/** Words in all units of one query together. */
export const MAX_SLOTS = 32;
const MAX_QUERY = 512;

/** One word of a query, and how loosely it is taken. */
export interface Slot {
  /** Folded. */
  word: string;
  /** Whether words that begin with it are meant too. */
  prefix: boolean;
  /** Whether only this very form of it is meant: no other word of the same stem. */
  exact: boolean;
}

/** What a page either has or has not: a word, an identifier of several parts, a phrase in quotes. */
export interface Unit {
  /** The words that must follow each other. */
  slots: Slot[];
  /** Whether it stood in quotes. */
  quoted: boolean;
  /** The word that may stand in their place: `hashmap` for `HashMap`. */
  whole?: Slot;
}

/** Whatever stands between quotes, or outside of them. */
const PIECES = /["“”„«»]([^"“”„«»]*)["“”„«»]|([^"“”„«»]+)/g;
/** Ends a chunk; what is not named here (dots, colons, underscores, hyphens) joins the parts of one unit. */
const GAP = /[^\p{L}\p{M}\p{N}._:-]+/u;

/**
 * What `query` asks for, without repetitions: phrases in quotes, identifiers, words; the last word is also a prefix.
 *
 * @returns No unit for a query without any word.
 */
export function parseQuery(query: string): Unit[] {
  const units = new Map<string, Unit>();
  let slots = 0;
  for (const unit of unitsOf(query.slice(0, MAX_QUERY))) {
    const key = JSON.stringify(unit.slots.map(({ word }) => word));
    // of two equal ones the later stays: it may be the prefix
    if (units.delete(key)) slots -= unit.slots.length;
    if (units.size >= MAX_UNITS || slots + unit.slots.length > MAX_SLOTS) continue;
    units.set(key, unit);
    slots += unit.slots.length;
  }
  return [...units.values()];
}

function unitsOf(query: string): Unit[] {
  const units: Unit[] = [];
  let endsInPhrase = false;
  for (const { 1: phrase, 2: plain } of query.matchAll(PIECES)) {
    const found = phrase === undefined ? plainUnits(plain ?? '') : phraseUnits(phrase);
    if (found.length > 0) endsInPhrase = phrase !== undefined;
    units.push(...found);
  }
  const last = units.at(-1);
  if (last && !endsInPhrase) units.splice(-1, 1, asPrefix(last));
  return units;
}

function phraseUnits(phrase: string): Unit[] {
  const words = tokenise(phrase).flatMap(({ parts }) => parts);
  if (words.length === 0) return [];
  return [{ slots: words.slice(0, MAX_SLOTS).map((word) => ({ word, prefix: false, exact: true })), quoted: true }];
}

function plainUnits(text: string): Unit[] {
  const units: Unit[] = [];
  for (const chunk of text.split(GAP)) {
    const tokens = tokenise(chunk);
    // unspaced scripts put several words into one chunk; they are asked for one by one
    const isSentence = tokens.some(({ parts }) => parts.some((part) => !/^[\p{sc=Latn}\p{N}]/u.test(part)));
    for (const group of isSentence ? tokens.map((token) => [token]) : [tokens]) {
      const unit = unitOf(group);
      if (unit) units.push(unit);
    }
  }
  return units;
}

function unitOf(tokens: Token[]): Unit | undefined {
  const words = tokens.flatMap(({ parts }) => parts).slice(0, MAX_UNITS);
  if (words.length === 0) return undefined;
  const exact = words.length > 1;
  const slots = words.map((word) => ({ word, prefix: false, exact }));
  const whole = tokens.length === 1 ? tokens[0]?.whole : undefined;
  return { slots, quoted: false, ...(whole !== undefined && { whole: { word: whole, prefix: false, exact: true } }) };
}

function asPrefix({ slots, whole, quoted }: Unit): Unit {
  const open = slots.map((slot, index) => (index < slots.length - 1 ? slot : { ...slot, prefix: true }));
  return { slots: open, quoted, ...(whole && { whole: { ...whole, prefix: true } }) };
}
