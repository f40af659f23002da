const MAX_LENGTH = 100;

/** Latin letters that Unicode does not decompose into a base letter and a mark. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ŋ', 'n'],
]);

/**
 * The slug of a title: lower case, folded to ASCII, every run of other characters one `-`, trimmed, at most 100
 * characters. `fallback` when nothing is left.
 */
export function toSlug(text: string, fallback = 'page'): string {
  // normalisation of a hostile megabyte costs time, and no more than the first characters can be seen in the slug
  const folded = text
    .slice(0, MAX_LENGTH * 8)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  const ascii = folded.replace(/[^\0-\x7f]/gu, (letter) => FOLDED.get(letter) ?? '-').toLowerCase();
  return cut(ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-/, ''), MAX_LENGTH) || fallback;
}

/** Whether `text` is written as a slug: 1 to 100 characters, `a-z0-9` in runs joined by single `-`. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
}

/** `slug` with `-number` behind it, shortened so that both together stay within 100 characters. */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cut(slug, MAX_LENGTH - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, '');
}
