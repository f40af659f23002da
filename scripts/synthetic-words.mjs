// Words that the measurements of search are made of: the same in every run, and as unevenly spread as those of a language.
let seed = 7;

/** A number from 0 to 1. */
export function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}

export const pick = (list) => list[Math.floor(random() * list.length)];

const syllables = [...'bcdfghklmnprstvw'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel));
const vocabulary = Array.from({ length: 30_000 }, (_, rank) => {
  const stem = Array.from({ length: rank < 300 ? 2 : 3 }, () => pick(syllables)).join('');
  return stem + pick(['', '', '', 's', 'ing', 'ed', 'Map', '_of']);
});

/** Ranks follow Zipf's law, as those of words do. */
const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? vocabulary[0];

export const words = (count) => Array.from({ length: count }, word).join(' ');

const between = (from, to) => vocabulary[Math.floor(from + random() * (to - from))].replace(/s$|ing$|ed$/, '');

/** Makes a query of each kind that people search with. */
export const queries = {
  'one rare word': () => between(3000, 30_000),
  'one word': () => between(60, 2000),
  'one common word': () => between(0, 30),
  'three words': () => `${between(5, 300)} ${between(20, 2000)} ${between(100, 5000)}`,
  'eight words': () => Array.from({ length: 8 }, () => between(5, 3000)).join(' '),
  phrase: () => `"${between(0, 60)} ${between(0, 200)}"`,
  'beginning of a word': () => between(60, 2000).slice(0, 3),
};

/** A query of any of those kinds. */
export const anyQuery = () => pick(Object.values(queries))();

/** A word that nearly every page has. */
export const commonest = vocabulary[0];
