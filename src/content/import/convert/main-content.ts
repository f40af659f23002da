import { Readability } from '@mozilla/readability';
import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';
import { parseHTML } from 'linkedom';
import { findElement, textOf } from './html-tree.js';

/** What is to be read on a page, without what stands around it. */
export interface MainContent {
  title?: string;
  tree: Root;
}

const MAX_ELEMENTS = 50_000;
const AROUND = new Set(['aside', 'button', 'footer', 'form', 'head', 'header', 'nav']);

/** Finds what is to be read on the page `tree`; all of it, but for navigation and the like, where nothing stands out. */
export function mainContent(tree: Root): MainContent {
  const { document } = parseHTML(toHtml(tree)) as { document: unknown };
  const article = new Readability(document, {
    keepClasses: true,
    disableJSONLD: true,
    maxElemsToParse: MAX_ELEMENTS,
  }).parse();
  const title = article?.title?.trim();
  const found = fromHtml(article?.content ?? '', { fragment: true });
  const content = textOf(found) === '' && !hasImage(found) ? withoutSurroundings(tree) : found;
  return { ...(title && { title }), tree: content };
}

function hasImage(tree: Root): boolean {
  return findElement(tree, ({ tagName }) => tagName === 'img') !== undefined;
}

function withoutSurroundings(tree: Root): Root {
  const isMain = ({ tagName, properties }: Element): boolean => tagName === 'main' || properties.role === 'main';
  const main = findElement(tree, isMain) ?? findElement(tree, ({ tagName }) => tagName === 'body');
  return { type: 'root', children: (main?.children ?? []).flatMap(inside) };
}

function inside(node: ElementContent): ElementContent[] {
  if (node.type !== 'element') return [node];
  return AROUND.has(node.tagName) ? [] : [{ ...node, children: node.children.flatMap(inside) }];
}
