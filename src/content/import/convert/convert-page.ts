import type { Root as HtmlRoot } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import type { Nodes, Root } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { mathToMarkdown } from 'mdast-util-math';
import { type Options, toMarkdown } from 'mdast-util-to-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { ConversionError } from '../../conversion/conversion-error.js';
import { anchorsOf } from './anchors.js';
import { decodeHtml } from './decode-html.js';
import { elementsOf, factsOf, onlyHeading, prune } from './html-tree.js';
import { mainContent } from './main-content.js';
import { Marks } from './marks.js';

/** An HTML page as it came. */
export interface HtmlPage {
  bytes: Uint8Array;
  contentType: string;
  /** Where it came from. */
  address: string;
  /** Letters and digits that nobody else knows, for the marks. */
  secret: string;
}

/** What was made of an HTML page. */
export interface ConvertedPage {
  title?: string;
  /** What is to be read on it; addresses that may become pages or files are marks. */
  markdown: string;
  /** The addresses behind the marks, by number. */
  addresses: readonly string[];
  /** Those of its images, each once, in order. */
  images: string[];
  /** Anchors of its headings, by the names that the page gives them. */
  anchors: Record<string, string>;
  /** The address that the page goes by, when it names one. */
  canonical?: string;
  /** Where all of the page leads, navigation included: absolute addresses without fragments. */
  links: string[];
}

/** Largest page that is converted, bytes. */
export const MAX_HTML = 4 * 1024 * 1024;

const STYLE: Options = {
  bullet: '-',
  rule: '-',
  ruleSpaces: false,
  fences: true,
  // what would be read as a block of tags
  unsafe: [{ character: '{', after: '%', inConstruct: 'phrasing' }],
  // without alignment: one long cell would make each row of a table as long
  extensions: [gfmToMarkdown({ tablePipeAlign: false }), mathToMarkdown({ singleDollarTextMath: false })],
};

/** Makes Markdown of the main content of an HTML page. @throws ConversionError for what cannot be converted. */
export function convertPage({ bytes, contentType, address, secret }: HtmlPage): ConvertedPage {
  if (bytes.byteLength > MAX_HTML) throw new ConversionError(`is larger than ${MAX_HTML / 1024 / 1024} MiB of HTML`);
  const tree = fromHtml(decodeHtml(bytes, contentType));
  const facts = factsOf(tree, address);
  const marks = new Marks(secret);
  prune(tree, { address, base: facts.base, marks });
  const content = mainContent(tree);
  const title = onlyHeading(tree) ?? content.title ?? facts.title;
  const markdown = write(withoutTitle(asRoot(toMdast(content.tree, { document: true })), title));
  return {
    ...(title && { title }),
    markdown,
    addresses: marks.addresses,
    images: imagesOf(content.tree, marks),
    anchors: anchorsOf(content.tree),
    ...(facts.canonical !== undefined && { canonical: facts.canonical }),
    links: facts.links,
  };
}

function imagesOf(tree: HtmlRoot, marks: Marks): string[] {
  const images = [...elementsOf(tree)].filter(({ tagName }) => tagName === 'img');
  return [...new Set(images.flatMap(({ properties }) => marks.addressOf(String(properties.src)) ?? []))];
}

function asRoot(node: Nodes): Root {
  if (node.type !== 'root') throw new ConversionError('has no content');
  return node;
}

/** A page shows its title by itself. */
function withoutTitle(root: Root, title: string | undefined): Root {
  const [first, ...rest] = root.children;
  return first?.type === 'heading' && textOf(first).trim() === title ? { ...root, children: rest } : root;
}

function write(root: Root): string {
  return root.children.length === 0 ? '' : toMarkdown(root, STYLE);
}
