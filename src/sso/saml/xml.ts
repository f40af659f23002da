import { createRequire } from 'node:module';
import { lazy } from '../../common/lazy.js';
import { SamlRefusal } from './refusal.js';

/** What is used of nodes of the DOM. */
interface XmlNode {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly parentNode: XmlNode | null;
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  readonly childNodes: ArrayLike<XmlNode>;
}

/** An element of a parsed response. */
export interface XmlElement extends XmlNode {
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly attributes: ArrayLike<{ readonly name: string; readonly localName: string | null; readonly value: string }>;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
}

interface XmlParser {
  DOMParser: new (options: { errorHandler: Record<'warning' | 'error' | 'fatalError', () => never> }) => {
    parseFromString(text: string, type: string): XmlNode;
  };
}

// its own types would let all code take the globals of browsers for given
const xmldom = lazy(() => createRequire(import.meta.url)('@xmldom/xmldom') as XmlParser);

/** Namespaces of what responses are made of. */
export const NAMESPACES = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

const ELEMENT = 1;
const TEXT = 3;

/** Elements in a response, at the most: looking some up takes time that grows with the square of how many there are. */
const MAX_ELEMENTS = 500;
/** Elements within each other, at the most: what canonicalizes them descends into each by a call of its own. */
const MAX_DEPTH = 50;
/** Signs of equality, as each attribute has one, at the most: attributes are compared with each other. */
const MAX_EQUALS = 5000;

const DECLARATION = /^\s*<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?[^<>?]*\?>/i;

/**
 * The root element of the XML `text`, which may hold elements, attributes and text only: no document type, entities,
 * comments, processing instructions or CDATA, which programs read differently. @throws SamlRefusal
 */
export function parseXml(text: string): XmlElement {
  const markup = text.replace(DECLARATION, '');
  if (/<[!?]/.test(markup)) {
    throw new SamlRefusal('The response holds a document type, a comment, CDATA or a processing instruction');
  }
  // characters that XML has no form for
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(markup)) throw malformed();
  if (countOf(markup, '<') > 2 * MAX_ELEMENTS || countOf(markup, '=') > MAX_EQUALS) {
    throw tooMany();
  }
  const fail = (): never => {
    throw malformed();
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  const { DOMParser } = xmldom();
  const document = new DOMParser({ errorHandler }).parseFromString(markup, 'text/xml');
  const [root, ...others] = Array.from(document.childNodes).filter(isElement);
  if (!root || others.length > 0) throw malformed();
  checkSize(root);
  return root;
}

function isElement(node: XmlNode): node is XmlElement {
  return node.nodeType === ELEMENT;
}

/** `root` and all elements in it, in the order of the document. */
export function* elementsOf(root: XmlElement): Generator<XmlElement> {
  let node: XmlNode | null = root;
  while (node) {
    if (isElement(node)) yield node;
    let next: XmlNode | null = node.firstChild;
    for (let up: XmlNode | null = node; !next && up && up !== root; up = up.parentNode) next = up.nextSibling;
    node = next;
  }
}

/** The elements directly in `parent`. */
export function childrenOf(parent: XmlElement): XmlElement[] {
  return Array.from(parent.childNodes).filter(isElement);
}

/** Those elements directly in `parent` that are called `name` in a namespace. */
export function childrenNamed(parent: XmlElement, namespace: keyof typeof NAMESPACES, name: string): XmlElement[] {
  return childrenOf(parent).filter((child) => isNamed(child, namespace, name));
}

/** The only element directly in `parent` that is called `name`. @throws SamlRefusal when there is none, or another one. */
export function onlyChild(parent: XmlElement, namespace: keyof typeof NAMESPACES, name: string): XmlElement {
  const [child, ...others] = childrenNamed(parent, namespace, name);
  if (!child || others.length > 0) {
    throw new SamlRefusal(`The response must have one ${name} in its ${parent.localName}`);
  }
  return child;
}

/** Whether `element` is called `name` in a namespace. */
export function isNamed(element: XmlElement, namespace: keyof typeof NAMESPACES, name: string): boolean {
  return element.localName === name && element.namespaceURI === NAMESPACES[namespace];
}

/** The attribute `name` of `element`, which has no prefix; `null` when there is none. */
export function attributeOf(element: XmlElement, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null;
}

/** The text of `element`. @throws SamlRefusal when it holds anything else. */
export function textOf(element: XmlElement): string {
  const nodes = Array.from(element.childNodes);
  if (nodes.some((node) => node.nodeType !== TEXT)) {
    throw new SamlRefusal(`The ${element.localName} of the response must be text and nothing else`);
  }
  return nodes.map((node) => node.nodeValue ?? '').join('');
}

function malformed(): SamlRefusal {
  return new SamlRefusal('The response is not well-formed XML');
}

function tooMany(): SamlRefusal {
  return new SamlRefusal('The response has too many elements; have the identity provider send fewer attributes');
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

function checkSize(root: XmlElement): void {
  const depths = new Map<XmlNode, number>();
  for (const element of elementsOf(root)) {
    const depth = element === root ? 1 : (depths.get(element.parentNode ?? root) ?? 0) + 1;
    if (depth > MAX_DEPTH) throw new SamlRefusal('The response has too many elements within each other');
    depths.set(element, depth);
  }
  if (depths.size > MAX_ELEMENTS) throw tooMany();
}
