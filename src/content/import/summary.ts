import type { Link, List, ListItem, Paragraph, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { isWebAddress } from '../../common/validation.js';

/** An entry of a table of contents. */
export interface SummaryEntry {
  /** `group`: a part of the book; `page`: a chapter; `link`: an address outside. */
  kind: 'group' | 'page' | 'link';
  title: string;
  /** Of a page: its file, as written but decoded and without an anchor; absent for a chapter still to be written. */
  file?: string;
  /** Of a link: where it leads. */
  url?: string;
  children: SummaryEntry[];
}

/** Deepest nesting that is read; what lies deeper is added to the level above. */
const MAX_DEPTH = 30;

/**
 * The entries of a `SUMMARY.md`, in order. The first heading is the title of the book and no entry; each further
 * heading begins a part, which becomes a group, and which ends before chapters that stand outside of lists.
 */
export function readSummary(markdown: string): SummaryEntry[] {
  const root: SummaryEntry[] = [];
  let part = root;
  let titled = false;
  for (const node of fromMarkdown(markdown).children) {
    if (node.type === 'heading') {
      // the book's own title comes before everything else
      if (!titled && root.length === 0) titled = true;
      else part = addGroup(root, textOf(node));
    } else if (node.type === 'list') {
      part.push(...entriesOf(node, 1));
    } else if (node.type === 'paragraph') {
      part = root;
      root.push(...linksIn(node).map((link) => entryOf(link)));
    }
  }
  return root.filter((entry) => entry.kind !== 'group' || entry.children.length > 0);
}

function addGroup(root: SummaryEntry[], title: string): SummaryEntry[] {
  const group: SummaryEntry = { kind: 'group', title: title.trim() || 'Untitled', children: [] };
  root.push(group);
  return group.children;
}

function entriesOf(list: List, depth: number): SummaryEntry[] {
  return list.children.flatMap((item) => entriesOfItem(item, depth));
}

function entriesOfItem(item: ListItem, depth: number): SummaryEntry[] {
  const lead = item.children.find((child): child is Paragraph => child.type === 'paragraph');
  const nested = item.children.filter((child): child is List => child.type === 'list');
  const children = nested.flatMap((list) => entriesOf(list, depth + 1));
  const [link] = lead ? linksIn(lead) : [];
  const title = lead ? textOf(lead).trim() : '';
  if (!link && title === '') return children;
  const entry: SummaryEntry = link ? entryOf(link) : { kind: 'page', title, children: [] };
  if (depth >= MAX_DEPTH || entry.kind === 'link') return [entry, ...children];
  return [{ ...entry, children }];
}

function entryOf(link: Link): SummaryEntry {
  const title = textOf(link).trim() || 'Untitled';
  // an address of another scheme, such as javascript:, is taken for a file: it is told as missing, and leads nowhere
  if (isWebAddress(link.url)) return { kind: 'link', title, url: link.url, children: [] };
  const file = decode(link.url.replace(/[?#].*$/, ''));
  return { kind: 'page', title, ...(file !== '' && { file }), children: [] };
}

function linksIn(node: Paragraph): Link[] {
  const links: Link[] = [];
  const visit = (child: RootContent): void => {
    if (child.type === 'link') links.push(child);
    else if ('children' in child) child.children.forEach(visit);
  };
  node.children.forEach(visit);
  return links;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
