import type {
  Blockquote,
  Code as CodeNode,
  FootnoteDefinition,
  List as ListNode,
  ListItem as ItemNode,
  RootContent,
} from 'mdast';
import { buildBlock } from './build-block.js';
import { DocumentError } from './document-error.js';
import { readImageTag } from './inline-tags.js';
import { matchTags, readHtmlTag, readTags, type Tag } from './markup.js';
import type { Block, Fragment, Heading, Image, InlineContent, List, Paragraph } from './model.js';
import type { Budget } from './meter.js';
import { parseMarkdown } from './parse.js';
import { parsePieces } from './pieces.js';
import { definitionText, footnoteText, labelText, oneLine, trimSpaces } from './escape.js';
import { hasText, readHtml, type HtmlPart } from './read-html.js';
import { onlyPhrasing, readInlines, resolveRef, textNode, type Place, type ReadContext } from './read-inline.js';
import { readTable } from './read-table.js';
import type { ResolveRef } from './references.js';
import { surveyPieces, type Survey } from './survey.js';
import { MAX_DEPTH } from './tree.js';

/** What reading takes from outside. */
export interface ReadTools {
  readonly resolve: ResolveRef;
  readonly budget: Budget;
  /** Spells blocks as Markdown, for what is kept as source. */
  readonly spell: (blocks: readonly Block[]) => string;
}
/** What reading the blocks of one piece of Markdown shares. */
type BlockContext = ReadContext & ReadTools & Survey;
/** A finished block, or a tag that may have its end further on. */
type Item = { block: Block } | { tag: Tag; syntax: 'html' | 'markdown' } | { title: InlineContent[]; source: string };

const ALERTS: Readonly<Record<string, 'info' | 'success' | 'warning' | 'danger'>> = {
  NOTE: 'info',
  TIP: 'success',
  IMPORTANT: 'info',
  WARNING: 'warning',
  CAUTION: 'danger',
};

/** A paragraph. */
export function paragraph(nodes: InlineContent[] = [textNode('')]): Paragraph {
  return { object: 'block', type: 'paragraph', key: '', isVoid: false, data: {}, nodes };
}

/** Source that no other block can hold: shown as code where it has a text of its own. */
export function sourceBlock(source: string, syntax: 'html' | 'markdown', isShown: boolean): Block {
  if (!isShown) return { object: 'block', type: 'source', key: '', isVoid: true, data: { syntax, source } };
  return {
    object: 'block',
    type: 'code',
    key: '',
    isVoid: false,
    data: { syntax, raw: true },
    nodes: codeLines(source),
  };
}

/** Lines of code, one for each line of `text`. */
export function codeLines(text: string): Extract<Block, { type: 'code' }>['nodes'] {
  return text.split(/\r\n|\r|\n/).map((line) => ({
    object: 'block',
    type: 'code-line',
    key: '',
    isVoid: false,
    data: {},
    nodes: [textNode(line)],
  }));
}

/**
 * The blocks of a piece of Markdown, at least one. @param depth levels of nodes above them, and one.
 * @throws DocumentError for what is nested too deep, or would take too long to read.
 */
export function readMarkdown(source: string, tools: ReadTools, depth: number): Block[] {
  const pieces = parsePieces(source, tools.budget);
  const survey = surveyPieces(pieces);
  const context: BlockContext = {
    ...tools,
    ...survey,
    attached: new Set(),
    readNote: (note) =>
      new BlockReader(survey.sources.get(note) ?? source, context, { inNote: true }).read(note.children, depth),
  };
  const items: Item[] = [];
  for (const piece of pieces) {
    for (const item of new BlockReader(piece.source, context).items(piece.tree.children, depth)) items.push(item);
  }
  return new BlockReader(source, context).document(items, depth);
}

/** Reads the blocks of a piece of Markdown; the places of its nodes refer to `source`. */
class BlockReader {
  constructor(
    private readonly source: string,
    private readonly context: BlockContext,
    private readonly place: Place = {},
  ) {}

  /** The blocks that `nodes` are, at least one. @throws DocumentError when they are nested too deep. */
  read(nodes: readonly RootContent[], depth: number): Block[] {
    const blocks = this.group(this.items(nodes, depth), depth);
    return blocks.length > 0 ? blocks : [paragraph()];
  }

  /** The blocks that all `items` of a page are, with the footnotes that are referred to only where none can hang. */
  document(items: readonly Item[], depth: number): Block[] {
    const blocks = this.group(items, depth);
    const { footnotes, wanted, attached } = this.context;
    for (const [identifier, note] of footnotes) {
      if (wanted.has(identifier) && !attached.has(identifier)) blocks.push(this.noteSource(note));
    }
    return blocks.length > 0 ? blocks : [paragraph()];
  }

  /** What `nodes` are, before tags find their ends. */
  items(nodes: readonly RootContent[], depth: number): Item[] {
    if (depth > MAX_DEPTH) throw new DocumentError(`Nested deeper than ${MAX_DEPTH} levels`);
    return nodes.flatMap((node) => this.item(node, depth));
  }

  /** Puts what stands between a tag and its end into the block that the two are. */
  private group(items: readonly Item[], depth: number): Block[] {
    if (depth > MAX_DEPTH) throw new DocumentError(`Nested deeper than ${MAX_DEPTH} levels`);
    const pairs = matchTags(items, (item) => ('tag' in item ? item.tag : undefined));
    const blocks: Block[] = [];
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (item === undefined) break;
      const end = pairs.get(index);
      const inside = end === undefined ? undefined : items.slice(index + 1, end);
      const made = 'tag' in item ? this.tagged(item.tag, inside, items[end ?? index], depth) : undefined;
      for (const block of made ?? [toBlock(item)]) blocks.push(block);
      if (made !== undefined) index = end ?? index;
    }
    return blocks;
  }

  private tagged(
    tag: Tag,
    inside: readonly Item[] | undefined,
    end: Item | undefined,
    depth: number,
  ): Block[] | undefined {
    if (tag.attributes === undefined) return undefined;
    if (tag.name === 'details') return inside && [this.expandable(inside, depth)];
    let content: Block[] | undefined;
    const read = inside && ((): Block[] => (content = this.group(inside, depth + 1)));
    const made = buildBlock(tag, read, depth, (url, kind) => resolveRef(this.context, url, kind));
    if (made !== undefined || content === undefined || end === undefined) return made;
    // what is between has been read: reading it again would double the work on every level
    return [toBlock({ tag, syntax: 'markdown' }), ...content, toBlock(end)];
  }

  private expandable(inside: readonly Item[], depth: number): Block {
    const [first] = inside;
    const hasTitle = first !== undefined && 'title' in first;
    const title = paragraph(hasTitle ? first.title : undefined);
    const body = this.group(hasTitle ? inside.slice(1) : inside, depth + 1);
    const fragments = [
      fragment('expandable-title', [title]),
      fragment('expandable-body', body.length > 0 ? body : [paragraph()]),
    ];
    return { object: 'block', type: 'expandable', key: '', isVoid: true, data: {}, meta: { id: '' }, fragments };
  }

  private item(node: RootContent, depth: number): Item[] {
    switch (node.type) {
      case 'html':
        return readHtml(node.value).flatMap((part) => this.html(part, depth));
      case 'blockTags': {
        const tags = readTags(node.value);
        if (tags === undefined) return [{ block: sourceBlock(node.value, 'markdown', true) }];
        return tags.map((tag) => ({ tag, syntax: 'markdown' }));
      }
      default:
        return this.blocks(node, depth).map((block) => ({ block }));
    }
  }

  private blocks(node: RootContent, depth: number): Block[] {
    switch (node.type) {
      case 'paragraph':
        return [this.paragraph(readInlines(node.children, this.context, this.place))];
      case 'heading':
        return [this.heading(node)];
      case 'thematicBreak':
        return [{ object: 'block', type: 'divider', key: '', isVoid: true, data: {} }];
      case 'blockquote':
        return [this.quote(node, depth)];
      case 'list':
        return [this.list(node, depth)];
      case 'code':
        return [readCode(node)];
      case 'math': {
        const formula = node.meta ? `${node.meta}\n${node.value}` : node.value;
        return [{ object: 'block', type: 'math', key: '', isVoid: true, data: { formula } }];
      }
      case 'table':
        return [readTable(node, this.context, this.place)];
      case 'definition':
        return this.context.usedDefinitions.has(node) ? [] : [sourceBlock(definitionText(node), 'markdown', false)];
      case 'footnoteDefinition':
        return this.looseNote(node);
      case 'yaml':
        return [];
      default:
        return [];
    }
  }

  /** A paragraph of nothing but images is a block of images. */
  private paragraph(nodes: InlineContent[]): Block {
    const images: Image[] = [];
    for (const node of nodes) {
      if (node.object === 'text' && node.leaves.every(({ text }) => text.trim() === '')) continue;
      if (node.object === 'text' || node.type !== 'inline-image' || node.data.size !== undefined)
        return paragraph(nodes);
      const { ref, refDark, caption, title } = node.data;
      const data: Image['data'] = { ref };
      if (refDark !== undefined) data.refDark = refDark;
      if (caption !== undefined) data.alt = caption;
      if (title !== undefined) data.title = title;
      images.push({ object: 'block', type: 'image', key: '', isVoid: true, data, fragments: [] });
    }
    if (images.length === 0) return paragraph(nodes);
    return { object: 'block', type: 'images', key: '', isVoid: false, data: {}, nodes: images };
  }

  private heading(node: Extract<RootContent, { type: 'heading' }>): Heading {
    const children = [...node.children];
    const [open, close] = children.slice(-2);
    const data: Heading['data'] = {};
    const isAnchor = open?.type === 'html' && close?.type === 'html' && close.value.toLowerCase() === '</a>';
    const attributes = isAnchor ? readHtmlTag(open.value)?.attributes : undefined;
    const id = attributes?.get('id');
    if (id && attributes?.get('href') === `#${id}` && /^[^\s"'<>&|]{1,200}$/.test(id)) {
      children.splice(-2);
      const last = children.at(-1);
      if (last?.type === 'text') children.splice(-1, 1, { ...last, value: last.value.replace(/ $/, '') });
      data.id = id;
    }
    if (node.depth > 3) data.level = node.depth;
    const nodes = readInlines(children, this.context, this.place);
    const type = (['heading-1', 'heading-2', 'heading-3'] as const)[node.depth - 1] ?? 'heading-3';
    return { object: 'block', type, key: '', isVoid: false, data, meta: { id: '' }, nodes };
  }

  private quote(node: Blockquote, depth: number): Block {
    const [first, ...rest] = node.children;
    const text = first?.type === 'paragraph' ? first.children[0] : undefined;
    const start = text?.type === 'text' ? text.position?.start.offset : undefined;
    const alert = text?.type === 'text' ? /^\[!([A-Z]+)\](?:[ \t]*(?:\n|\r\n?)|$)/i.exec(text.value) : null;
    const style = ALERTS[alert?.[1]?.toUpperCase() ?? ''];
    const isAlert = text?.type === 'text' && start !== undefined && this.source.charAt(start) === '[';
    if (style === undefined || !isAlert || first?.type !== 'paragraph') {
      const nodes = this.read(node.children, depth + 1);
      return { object: 'block', type: 'blockquote', key: '', isVoid: false, data: {}, nodes };
    }
    const after = { ...text, value: text.value.slice(alert?.[0].length ?? 0) };
    const children = after.value === '' ? first.children.slice(1) : [after, ...first.children.slice(1)];
    const body = children.length > 0 ? [{ ...first, children }, ...rest] : rest;
    return {
      object: 'block',
      type: 'hint',
      key: '',
      isVoid: false,
      data: { style },
      nodes: this.read(body, depth + 1),
    };
  }

  private list(node: ListNode, depth: number): List {
    const nodes = node.children.map((item) => this.listItem(item, depth + 1));
    if (node.ordered === true) {
      const data = node.start === null || node.start === undefined || node.start === 1 ? {} : { start: node.start };
      return { object: 'block', type: 'list-ordered', key: '', isVoid: false, data, nodes };
    }
    const type = nodes.some(({ data }) => data.checked !== undefined) ? 'list-tasks' : 'list-unordered';
    return { object: 'block', type, key: '', isVoid: false, data: {}, nodes };
  }

  private listItem(node: ItemNode, depth: number): Extract<Block, { type: 'list-item' }> {
    const data = typeof node.checked === 'boolean' ? { checked: node.checked } : {};
    const nodes = this.read(node.children, depth + 1);
    return { object: 'block', type: 'list-item', key: '', isVoid: false, data, nodes };
  }

  /** A footnote that no annotation holds stays where it is. */
  private looseNote(node: FootnoteDefinition): Block[] {
    const isWanted = this.context.wanted.has(node.identifier) && this.context.footnotes.get(node.identifier) === node;
    return isWanted ? [] : [this.noteSource(node)];
  }

  private noteSource(node: FootnoteDefinition): Block {
    const body = this.context.spell(this.context.readNote(node)).replace(/\n$/, '');
    return sourceBlock(footnoteText(labelText(node.label ?? node.identifier), body), 'markdown', true);
  }

  private html(part: HtmlPart, depth: number): Item[] {
    switch (part.kind) {
      case 'tag':
        return [{ tag: part.tag, syntax: 'html' }];
      case 'title':
        return [{ title: this.line(part.text), source: part.source }];
      case 'paragraph': {
        const text = this.line(part.text);
        return [{ block: part.align === undefined ? this.paragraph(text) : aligned(paragraph(text), part.align) }];
      }
      case 'breaks':
        return [{ block: paragraph([textNode('\n'.repeat(part.count))]) }];
      case 'images':
        return [{ block: this.images(part) }];
      case 'markdown': {
        const { resolve, budget, spell } = this.context;
        return readMarkdown(part.text, { resolve, budget, spell }, depth + 1).map((block) => ({ block }));
      }
      case 'raw':
        return [{ block: sourceBlock(part.source, 'html', hasText(part.source)) }];
    }
  }

  private images(part: Extract<HtmlPart, { kind: 'images' }>): Block {
    const nodes = part.images.map(({ attributes, caption }): Image => {
      const read = readImageTag(attributes, (url) => resolveRef(this.context, url, 'image'));
      const { size: _size, ...data } = read ?? { ref: { kind: 'url' as const, url: '' } };
      const fragments =
        caption.length === 0
          ? []
          : [
              fragment(
                'caption',
                caption.map((text) => paragraph(this.line(text))),
              ),
            ];
      return { object: 'block', type: 'image', key: '', isVoid: true, data, fragments };
    });
    const align = (['left', 'center', 'right'] as const).find((side) => side === part.align);
    const data = { ...(align === undefined ? {} : { align }), ...(part.fullWidth ? { fullWidth: true } : {}) };
    return { object: 'block', type: 'images', key: '', isVoid: false, data, nodes };
  }

  /** Reads Markdown that is one line of text, whatever it begins with. */
  private line(text: string): InlineContent[] {
    return readInlines(
      onlyPhrasing(parseMarkdown(`# ${text}`, this.context.budget).children),
      this.context,
      this.place,
    );
  }
}

function fragment(type: string, nodes: Block[]): Fragment {
  return { object: 'fragment', key: '', fragment: type, type, nodes };
}

function aligned(block: Paragraph, align: NonNullable<Paragraph['data']['align']>): Paragraph {
  return { ...block, data: { align } };
}

/** A tag without its end, or one that means nothing here, stays as source. */
function toBlock(item: Item): Block {
  if ('block' in item) return item.block;
  if ('title' in item) return sourceBlock(item.source, 'html', true);
  return sourceBlock(item.tag.source, item.syntax, item.syntax === 'markdown');
}

function readCode(node: CodeNode): Block {
  const fence = oneLine(`${node.lang ?? ''} ${node.meta ?? ''}`);
  const [, syntax = '', rest = ''] = /^([^\s,{`]{1,64})(?=[\s,{]|$)(.*)$/s.exec(fence) ?? [fence, '', fence];
  const info = syntax !== '' && /^[,{]/.test(rest) ? rest : ` ${trimSpaces(rest)}`;
  const data = { ...(syntax === '' ? {} : { syntax }), ...(info === ' ' ? {} : { info }) };
  return { object: 'block', type: 'code', key: '', isVoid: false, data, nodes: codeLines(node.value) };
}
