import { encodeEntities } from './document/markup.js';
import type { MarkdownLink } from './outline.js';

/**
 * `markdown` with some of its addresses spelled anew, and nothing else touched.
 *
 * @param links all links of the text, as its outline lists them
 * @param spell the new address of a link, or `undefined` to leave it as it is written
 */
export function respell(
  markdown: string,
  links: readonly MarkdownLink[],
  spell: (link: MarkdownLink) => string | undefined,
): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const link of [...links].sort((a, b) => a.start - b.start)) {
    const address = spell(link);
    if (address === undefined || link.start < copied) continue;
    pieces.push(markdown.slice(copied, link.start), safeSpelling(address, link.inHtml));
    copied = link.end;
  }
  pieces.push(markdown.slice(copied));
  return pieces.join('');
}

/** `address` so that it can stand in a link, in angle brackets or not, without ending it or meaning something else. */
export function safeAddress(address: string): string {
  return address.replace(/[\s<>()\\[\]|`*!]|&(?=#?\w+;)|\p{Cc}/gu, (character) =>
    encodeURIComponent(character).replace(/[()*!]/g, hex),
  );
}

function safeSpelling(address: string, inHtml: MarkdownLink['inHtml']): string {
  if (inHtml === undefined) return safeAddress(address);
  // a backtick could begin code that ends before the tag does
  const encoded = encodeEntities(address.replace(/[\s\\`]|\p{Cc}/gu, encodeURIComponent));
  // parsers of Markdown end a value without quotes at a slash
  return encoded.replace(inHtml === 'quoted' ? /'/g : /['=/]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
