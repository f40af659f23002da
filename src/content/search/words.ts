import { LRUCache } from 'lru-cache';
import { stemmer } from 'stemmer';

/** Longest word that is told apart from others, in UTF-16 units; longer ones are cut, in texts and in queries alike. */
export const MAX_WORD = 64;

/** One word of a text, folded. Its parts take one position each; the whole stands at the position of the first. */
export interface Token {
  /** What the word is made of: `hash`, `map` of `HashMap`, each character of `世界`; the word itself where there is nothing to split. */
  parts: string[];
  /** The undivided word (`hashmap`), where it has several parts. */
  whole?: string;
}

const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const SIMPLE = /^[a-z0-9]+$/;
const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670]/g;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Letters that Unicode does not decompose, although people write them without their mark. */
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ς: 'σ' };
const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** The same few words are asked about again and again. */
const stems = new LRUCache<string, string>({ max: 20_000, memoMethod: stemmer });

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** `text` without regard to case, accents and the forms that Unicode calls compatible. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter);
}

/** The words of `text` in their order; what is neither letter nor digit, an underscore too, stands between words. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (SIMPLE.test(run)) {
      if (run !== 's' || !isApostrophe(text[index - 1])) tokens.push({ parts: [cut(run)] });
    } else if (UNSPACED.test(run)) {
      for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) tokens.push(tokenOf(segment));
    } else {
      tokens.push(tokenOf(run));
    }
  }
  return tokens;
}

/**
 * What English words of one meaning share: `borrowing`, `borrowed` and `borrows` give `borrow`. Words of other
 * alphabets, and those too short to have an ending, stand for themselves.
 *
 * @param word A folded word.
 */
export function stem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stems.memo(word) : word;
}

/** `text`, which was cut anywhere, without half a character at its ends: that would not survive being stored. */
export function withoutHalves(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed().replace(/^\ufffd|\ufffd$/g, '');
}

/** Whether a word may begin or end between the characters of `text` before and from `at`. */
export function isBoundary(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  if (!isInWord(before) || !isInWord(after)) return true;
  if (UNSPACED.test(before) || UNSPACED.test(after)) return true;
  const next = text.slice(at, at + 4);
  return HUMP.test(before + next) && HUMP.exec(before + next)?.index === before.length;
}

const isInWord = (character: string): boolean => /[\p{L}\p{M}\p{N}]/u.test(character);

const isApostrophe = (character: string | undefined): boolean => character === "'" || character === '’';

function characterBefore(text: string, at: number): string {
  if (at <= 0) return ' ';
  const low = text.charCodeAt(at - 1);
  const isSecondHalf = low >= 0xdc00 && low <= 0xdfff && at > 1;
  return text.slice(isSecondHalf ? at - 2 : at - 1, at);
}

function tokenOf(run: string): Token {
  const whole = cut(fold(run));
  if (run.length > MAX_WORD) return { parts: [whole] };
  const parts = IDEOGRAPHIC.test(run) ? Array.from(whole) : run.split(HUMP).map((part) => cut(fold(part)));
  return parts.length > 1 ? { parts, whole } : { parts: [whole] };
}

const cut = (word: string): string => (word.length <= MAX_WORD ? word : withoutHalves(word.slice(0, MAX_WORD)));
