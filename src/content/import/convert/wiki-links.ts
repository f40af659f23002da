import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const LINK = /\[\[([^[\]|\n\\]{1,300})(?:\\?\|([^[\]|\n\\]{1,300}))?\]\]/g;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp)$/i;

/**
 * `markdown` with the links of a wiki (`[[Page]]`, `[[text|Page]]`, `[[image.png]]`) written as links and images of
 * Markdown; nothing else is touched, code least of all. The page `A b` is linked as `A-b`, as its address has it.
 */
export function resolveWikiLinks(markdown: string): string {
  if (!markdown.includes('[[')) return markdown;
  const pieces: string[] = [];
  let copied = 0;
  for (const [start, end] of textsOf(markdown)) {
    pieces.push(markdown.slice(copied, start), markdown.slice(start, end).replace(LINK, linkOf));
    copied = end;
  }
  return [...pieces, markdown.slice(copied)].join('');
}

/** Where plain text stands in `markdown`, in order. */
function textsOf(markdown: string): [start: number, end: number][] {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const places: [number, number][] = [];
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const [start, end] = [node.position?.start.offset, node.position?.end.offset];
    if (node.type === 'text' && start !== undefined && end !== undefined) places.push([start, end]);
    // what stands in a link is its text already
    if ('children' in node && node.type !== 'link' && node.type !== 'linkReference') open.push(...node.children);
  }
  return places.sort(([a], [b]) => a - b);
}

function linkOf(_link: string, first: string, second: string | undefined): string {
  const target = (second ?? first).trim();
  const [page = '', fragment] = target.split('#', 2);
  if (IMAGE.test(first.trim())) return `![](${encode(first.trim())})`;
  const anchor = fragment === undefined ? '' : `#${encode(fragment)}`;
  return `[${first.trim()}](${encode(page.trim().replaceAll(' ', '-'))}${anchor})`;
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%2F', '/')
    .replace(/[()*!'~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
