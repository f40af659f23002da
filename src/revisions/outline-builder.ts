import GithubSlugger from 'github-slugger';
import type { fromMarkdown } from 'mdast-util-from-markdown';
import { ContentError } from './content-error.js';
import { type HtmlTag, offsetsIn, readHtml } from './html-tags.js';
import type { Heading, MarkdownLink, Outline, Section } from './outline.js';

/** A parsed Markdown text. */
export type MarkdownRoot = ReturnType<typeof fromMarkdown>;
/** Where the address of a node is written: offsets into what was parsed. */
export type UrlSpans = Map<object, readonly [start: number, end: number]>;

type Node = MarkdownRoot | MarkdownRoot['children'][number];
type Html = Extract<Node, { type: 'html' }>;
/** How what was parsed lies in the document. */
interface Source {
  /** What was parsed. */
  readonly text: string;
  readonly spans: UrlSpans;
  /** Characters before the text itself, to be left out. */
  readonly prefix: number;
  /** To be added to offsets. */
  readonly offset: number;
}

/** Attributes of HTML that hold addresses, by tag, and what they are like in Markdown. */
const ADDRESSES: ReadonlyMap<string, readonly [kind: 'link' | 'image', ...attributes: string[]]> = new Map([
  ['a', ['link', 'href']],
  ['area', ['link', 'href']],
  ['img', ['image', 'src', 'data-dark-src']],
  ['source', ['image', 'src']],
  ['video', ['image', 'src']],
  ['audio', ['image', 'src']],
]);
/** Attributes of HTML that set anchors. */
const ANCHORS = ['id', 'name'];
const MAX_ANCHOR = 200;
const MAX_ITEMS = 10_000;
const MAX_URL = 2048;
const MAX_LINK_TEXT = 200;
const SECTION_DEPTH = 3;
/** What is written behind these, so that words of different blocks do not run together. */
const BREAKS: ReadonlyMap<string, string> = new Map([
  ['paragraph', '\n'],
  ['heading', '\n'],
  ['code', '\n'],
  ['html', ' '],
  ['break', '\n'],
  ['tableCell', ' '],
  ['tableRow', '\n'],
]);

/** Collects the outline of a document from its parts, in order. */
export class OutlineBuilder {
  private readonly slugger = new GithubSlugger();
  /** The heading that the document begins with. */
  leadingHeading?: string;
  private readonly headings: Heading[] = [];
  private readonly anchors = new Set<string>();
  private readonly links: MarkdownLink[] = [];
  private readonly sections: Section[] = [];
  private section: Omit<Section, 'text'> = { anchor: '', title: '', depth: 0 };
  private text: string[] = [];
  private isEmpty = true;

  /** Adds plain text, without runs of characters that are no words (images written as text, for one). */
  addText(text: string): void {
    this.isEmpty = false;
    this.text.push(text.replace(/\S{200,}/g, ' '), '\n');
  }

  /** Adds the text, headings and links of a parsed part. @throws ContentError (`limit`) for over ten thousand of either. */
  addTree(root: MarkdownRoot, source: Source): void {
    for (const child of root.children) {
      if ((child.position?.start.offset ?? 0) < source.prefix) continue;
      this.walk(child, source);
      this.isEmpty = false;
    }
  }

  /** What was collected. */
  finish(): Pick<Outline, 'headings' | 'anchors' | 'links' | 'sections'> {
    this.closeSection({ anchor: '', title: '', depth: 0 });
    const { headings, links, sections } = this;
    return { headings, ...(this.anchors.size > 0 && { anchors: [...this.anchors] }), links, sections };
  }

  /** Not recursive: emphasis can be nested thousands of times in a few kilobytes. */
  private walk(root: Node, source: Source): void {
    const open: { node: Node; text: number | null }[] = [{ node: root, text: null }];
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      const { node, text } = item;
      if (text !== null) {
        this.leave(node, text, source);
        continue;
      }
      this.enter(node, source);
      open.push({ node, text: this.text.length });
      if (!('children' in node)) continue;
      for (let index = node.children.length - 1; index >= 0; index--) {
        const child = node.children[index];
        if (child !== undefined) open.push({ node: child, text: null });
      }
    }
  }

  private enter(node: Node, source: Source): void {
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code') this.text.push(node.value);
    else if (node.type === 'html') this.addHtml(node, source);
    else if (node.type === 'image' || node.type === 'imageReference') this.text.push(node.alt ?? '');
  }

  private leave(node: Node, start: number, source: Source): void {
    if (node.type === 'heading') {
      this.addHeading(this.text.splice(start).join('').trim(), node.depth);
    } else if (node.type === 'link') {
      this.addNode('link', node, this.text.slice(start).join(''), source);
    } else if (node.type === 'image') {
      this.addNode('image', node, node.alt ?? '', source);
    } else if (node.type === 'definition') {
      this.addNode('definition', node, node.label ?? '', source);
    }
    const after = BREAKS.get(node.type);
    if (after !== undefined) this.text.push(after);
  }

  private addHtml(node: Html, source: Source): void {
    const { tags, text: shown } = readHtml(node.value);
    this.text.push(shown);
    const from = node.position?.start.offset ?? 0;
    const offsetOf = offsetsIn(source.text.slice(from, node.position?.end.offset), node.value);
    for (const tag of tags) {
      this.addAnchors(tag);
      const [kind, ...names] = ADDRESSES.get(tag.name) ?? [];
      for (const [name, { value, start, end, isQuoted }] of tag.attributes) {
        // nobody means an address by what goes on in the next line
        if (kind === undefined || !names.includes(name) || /[\r\n]/.test(node.value.slice(start, end))) continue;
        const place = { start: from + offsetOf(start), end: from + offsetOf(end) };
        const text = kind === 'image' ? (tag.attributes.get('alt')?.value ?? '') : '';
        this.addLink({ kind, url: value, ...place, text, inHtml: isQuoted ? 'quoted' : 'unquoted' }, source);
      }
    }
  }

  private addAnchors({ attributes }: HtmlTag): void {
    for (const name of ANCHORS) {
      const anchor = attributes.get(name)?.value ?? '';
      if (anchor === '' || anchor.length > MAX_ANCHOR) continue;
      if (this.anchors.size < MAX_ITEMS) this.anchors.add(anchor);
    }
  }

  private addHeading(text: string, depth: number): void {
    if (this.headings.length === MAX_ITEMS) throw tooMany('headings');
    const heading = { slug: this.slugger.slug(text), text, depth };
    if (this.isEmpty && text !== '') this.leadingHeading = text;
    this.headings.push(heading);
    if (depth <= SECTION_DEPTH) this.closeSection({ anchor: heading.slug, title: text, depth });
    else this.text.push(text);
  }

  private addNode(
    kind: MarkdownLink['kind'],
    node: Extract<Node, { url: string }>,
    text: string,
    source: Source,
  ): void {
    const span = source.spans.get(node) ?? autolinkSpan(node);
    if (span !== null) this.addLink({ kind, url: node.url, start: span[0], end: span[1], text }, source);
  }

  /** Adds a link whose offsets are those into what was parsed. */
  private addLink(link: Omit<MarkdownLink, 'under'>, { offset }: Source): void {
    // longer ones are data, not places
    if (link.url === '' || link.url.length > MAX_URL) return;
    if (this.links.length === MAX_ITEMS) throw tooMany('links');
    const text = Array.from(link.text.slice(0, 2 * MAX_LINK_TEXT))
      .slice(0, MAX_LINK_TEXT)
      .join('');
    const place = { start: link.start + offset, end: link.end + offset };
    const { anchor } = this.section;
    this.links.push({ ...link, ...place, text, ...(anchor !== '' && { under: anchor }) });
  }

  private closeSection(next: Omit<Section, 'text'>): void {
    const text = this.text.join('').trim();
    if (text !== '' || this.section.title !== '') this.sections.push({ ...this.section, text });
    this.section = next;
    this.text = [];
  }
}

/** `<https://…>` and bare addresses: the whole link, without the angle brackets, is the address. */
function autolinkSpan(node: Extract<Node, { url: string }>): readonly [number, number] | null {
  const [start, end] = [node.position?.start.offset, node.position?.end.offset];
  if (node.type !== 'link' || start === undefined || end === undefined) return null;
  const [label] = node.children;
  const inside = label?.position?.start.offset;
  return inside === start + 1 ? [start + 1, end - 1] : [start, end];
}

function tooMany(what: string): ContentError {
  return new ContentError('limit', `A page holds at most ${MAX_ITEMS} ${what}`, 'document');
}
