import type { Element, ElementContent, Root, RootContent } from 'hast';
import { parsedUrl } from '../../../common/parsed-url.js';
import { ConversionError } from '../../conversion/conversion-error.js';
import type { Marks } from './marks.js';

/** What a page says of itself and where it leads. */
export interface PageFacts {
  /** What relative addresses start from. */
  base: string;
  /** The address that it goes by, when it names one. */
  canonical?: string;
  /** Its title in the head. */
  title?: string;
  /** Where its links lead, http and https only, without fragments, each once, in order. */
  links: string[];
}

type Parent = Root | Element;

const MAX_NODES = 100_000;
/** Elements that lie deeper keep their text only. */
const MAX_DEPTH = 100;
const MAX_LINKS = 5000;
const MAX_ADDRESS = 2048;
/** Cells of a table that one cell may stand for. */
const MAX_SPAN = 50;
/** Nothing to read, or nothing that Markdown can say; `noscript` repeats what else is there. */
const DROPPED = new Set(
  'applet audio base canvas dialog embed frame frameset iframe input link math noscript object option param script select source style svg template textarea video'.split(
    ' ',
  ),
);
/** Elements that stay what they are in a cell of a table. */
const INLINE = new Set(
  'a abbr b cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time tt u var'.split(' '),
);
const HEADING = /^h[1-6]$/;

/** Reads the facts of the page at `address` out of its tree. */
export function factsOf(tree: Root, address: string): PageFacts {
  const links = new Set<string>();
  const facts: PageFacts = { base: address, links: [] };
  const hrefs: string[] = [];
  const names = new Map<string, string>();
  for (const element of elementsOf(tree)) {
    const href = text(element.properties.href);
    if (element.tagName === 'base' && href !== undefined && !names.has('base')) names.set('base', href);
    if (element.tagName === 'link' && isCanonical(element) && href !== undefined) names.set('canonical', href);
    if (element.tagName === 'title' && !names.has('title')) names.set('title', textOf(element));
    if (element.tagName === 'a' && href !== undefined && hrefs.length < MAX_LINKS) hrefs.push(href);
  }
  facts.base = webAddress(names.get('base'), address) ?? address;
  for (const href of hrefs) {
    const link = webAddress(href, facts.base);
    if (link !== undefined) links.add(withoutFragment(link));
  }
  facts.canonical = webAddress(names.get('canonical'), facts.base);
  facts.title = names.get('title');
  return { ...facts, links: [...links] };
}

/**
 * Takes out of `tree` what is not to be read or not safe to keep, and resolves its addresses against `base`: those that
 * may become pages or files of the space (of the origin of `address`, and of images) are replaced by marks.
 *
 * @throws ConversionError for more elements than a page to be read has.
 */
export function prune(tree: Root, { address, base, marks }: { address: string; base: string; marks: Marks }): void {
  const origin = new URL(address).origin;
  let nodes = 0;
  const visit = (parent: Parent, depth: number, inHeading: boolean): void => {
    const kept: RootContent[] = [];
    for (const child of parent.children) {
      nodes += 1;
      if (nodes > MAX_NODES) throw new ConversionError('has more elements than can be read');
      if (child.type === 'text') kept.push(child);
      if (child.type !== 'element' || DROPPED.has(child.tagName)) continue;
      if (child.tagName === 'img' && !resolveImage(child, base, marks)) continue;
      if (child.tagName === 'a') {
        if (inHeading && !/[\p{L}\p{N}]/u.test(textOf(child))) continue;
        resolveLink(child, { base, origin, marks });
      }
      if (depth >= MAX_DEPTH) child.children = [{ type: 'text', value: textOf(child) }];
      else visit(child, depth + 1, inHeading || HEADING.test(child.tagName));
      if (child.tagName === 'td' || child.tagName === 'th') flattenCell(child);
      kept.push(child);
    }
    // the children of a root and of an element differ in the doctype alone, which is not kept
    parent.children = kept;
  };
  visit(tree, 0, false);
}

/** Text of the only heading of the first level; `undefined` when there are several. */
export function onlyHeading(tree: Root): string | undefined {
  const found: string[] = [];
  for (const element of elementsOf(tree)) if (element.tagName === 'h1') found.push(textOf(element));
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

/** The first element for which `wanted` holds, in the order of the document. */
export function findElement(tree: Root, wanted: (element: Element) => boolean): Element | undefined {
  for (const element of elementsOf(tree)) if (wanted(element)) return element;
  return undefined;
}

/** The text below `node`, with its white space collapsed. */
export function textOf(node: Parent): string {
  const parts: string[] = [];
  const open: (Parent | RootContent)[] = [node];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.type === 'text') parts.push(item.value);
    else if ('children' in item) for (let i = item.children.length - 1; i >= 0; i--) push(open, item.children[i]);
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}

/** `href` as an absolute http or https address; `undefined` for anything else. */
export function webAddress(href: string | undefined, base: string): string | undefined {
  const url = href === undefined || href.length > MAX_ADDRESS ? undefined : parsedUrl(href.trim(), base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return url.href.length > MAX_ADDRESS ? undefined : url.href;
}

/** `address` up to its fragment. */
export function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, '');
}

/** The elements of `tree`, in the order of the document. */
export function* elementsOf(tree: Root): Generator<Element> {
  const open: (Root | RootContent)[] = [tree];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.type === 'element') yield item;
    if ('children' in item) for (let i = item.children.length - 1; i >= 0; i--) push(open, item.children[i]);
  }
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isCanonical({ properties }: Element): boolean {
  return Array.isArray(properties.rel) && properties.rel.includes('canonical');
}

/** Gives a link its absolute address, or a mark; makes one that leads to nothing safe a piece of text. */
function resolveLink(element: Element, { base, origin, marks }: { base: string; origin: string; marks: Marks }): void {
  const href = text(element.properties.href)?.trim() ?? '';
  const address = webAddress(href, base);
  const other = /^(?:mailto|tel):[^\s\p{Cc}]{1,500}$/iu.test(href) ? href : undefined;
  const { title, id } = element.properties;
  const target = address !== undefined && new URL(address).origin === origin ? marks.of(address) : (address ?? other);
  if (target === undefined) element.tagName = 'span';
  element.properties = { ...(target !== undefined && { href: target, title }), id };
}

/** Gives an image a mark in the place of its address; answers whether it has one. */
function resolveImage(element: Element, base: string, marks: Marks): boolean {
  const { src, dataSrc, alt, title } = element.properties;
  // where images are loaded late, `src` holds a place-holder
  const address = [dataSrc, src].map((value) => imageAddress(text(value), base)).find((one) => one !== undefined);
  if (address === undefined) return false;
  element.properties = { src: marks.of(address), alt, title };
  return true;
}

function imageAddress(src: string | undefined, base: string): string | undefined {
  if (src !== undefined && /^data:image\/[\w.+-]{1,40};base64,/i.test(src)) return src;
  const address = webAddress(src, base);
  return address === undefined ? undefined : withoutFragment(address);
}

/** A cell of a table in Markdown is one line: blocks in it become pieces of that line. */
function flattenCell(cell: Element): void {
  const isSpan = (name: string): boolean => name === 'colSpan' || name === 'rowSpan';
  cell.properties = Object.fromEntries(
    Object.entries(cell.properties).filter(([name, value]) => !isSpan(name) || Number(value) <= MAX_SPAN),
  );
  cell.children = cell.children.flatMap(inOneLine);
}

function inOneLine(node: ElementContent): ElementContent[] {
  if (node.type !== 'element') return [node];
  const space: ElementContent = { type: 'text', value: ' ' };
  if (node.tagName === 'br') return [space];
  if (node.tagName === 'pre') {
    const code: Element = { type: 'element', tagName: 'code', properties: {}, children: [] };
    return [space, { ...code, children: [{ type: 'text', value: textOf(node) }] }, space];
  }
  const children = node.children.flatMap(inOneLine);
  return INLINE.has(node.tagName) ? [{ ...node, children }] : [space, ...children, space];
}
