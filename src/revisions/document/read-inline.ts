import type { Definition, FootnoteDefinition, Paragraph, PhrasingContent } from 'mdast';
import { DocumentError } from './document-error.js';
import { type ImageData, readImageTag, readLinkTag, readMarkTag, readVoidTag } from './inline-tags.js';
import { isFootnoteLabel, labelText, oneLine } from './escape.js';
import { matchTags, readHtmlTag, type Tag } from './markup.js';
import {
  MARK_TYPES,
  type Block,
  type ContentRef,
  type Inline,
  type InlineContent,
  type Mark,
  type Text,
} from './model.js';
import { refOf, type ResolveRef } from './references.js';
import { IN_LINKS } from './schema.js';

/** Emphasis in emphasis in links in … that is read. */
const MAX_NESTING = 100;

/** What reading one document shares. */
export interface ReadContext {
  readonly resolve: ResolveRef;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>;
  /** Footnotes that hang on an annotation already, by identifier. */
  readonly attached: Set<string>;
  /** Reads the blocks of a footnote. */
  readonly readNote: (note: FootnoteDefinition) => Block[];
}
/** Where text stands. */
export interface Place {
  readonly inTable?: boolean;
  readonly inLink?: boolean;
  readonly inNote?: boolean;
}
/** A stretch of text, an inline, or a tag of HTML that may have its end further on. */
type Piece = { text: string; marks: readonly Mark[] } | { inline: Inline } | TagPiece;
interface TagPiece {
  readonly tag: Tag;
  readonly marks: readonly Mark[];
}

/** What `url` leads to. */
export function resolveRef(context: Pick<ReadContext, 'resolve'>, url: string, kind: 'link' | 'image'): ContentRef {
  return context.resolve(url, kind) ?? refOf(url);
}

/** A text of one leaf. */
export function textNode(text: string, marks: Mark[] = []): Text {
  return { object: 'text', key: '', leaves: [{ object: 'leaf', text, marks }] };
}

/** Reads the text under `nodes`: at least one text, neighbours that are set alike in one leaf. */
export function readInlines(
  nodes: readonly PhrasingContent[],
  context: ReadContext,
  place: Place = {},
): InlineContent[] {
  return new InlineReader(context, place).content(nodes, [], 0);
}

/** The children of the only paragraph or heading under `nodes`, else none. */
export function onlyPhrasing(nodes: readonly { type: string }[]): PhrasingContent[] {
  const [node] = nodes;
  return nodes.length === 1 && node !== undefined && isPhrasingParent(node) ? node.children : [];
}

function isPhrasingParent(node: { type: string }): node is Paragraph {
  return node.type === 'paragraph' || node.type === 'heading';
}

class InlineReader {
  constructor(
    private readonly context: ReadContext,
    private readonly place: Place,
  ) {}

  /** The texts and inlines that `nodes` are. */
  content(nodes: readonly PhrasingContent[], marks: readonly Mark[], depth: number): InlineContent[] {
    return joinPieces(this.pairUp(this.read(nodes, marks, depth), depth));
  }

  private read(nodes: readonly PhrasingContent[], marks: readonly Mark[], depth: number): Piece[] {
    if (depth > MAX_NESTING) throw new DocumentError('Text is nested too deep');
    const pieces: Piece[] = [];
    for (let index = 0; index < nodes.length; index++) {
      const [node, next] = [nodes[index], nodes[index + 1]];
      if (node === undefined) break;
      const note = node.type === 'link' ? this.linkedNote(node, next, marks, depth) : undefined;
      if (note !== undefined) index++;
      for (const piece of note ?? this.one(node, marks, depth)) pieces.push(piece);
    }
    return pieces;
  }

  /** Sets what stands between a tag and its end as the two say; emphasis may begin or end between them. */
  private pairUp(pieces: readonly Piece[], depth: number): readonly Piece[] {
    if (depth > MAX_NESTING) throw new DocumentError('Text is nested too deep');
    let left = pieces;
    // tags that crossed others may find their ends once those are gone
    for (let made = this.pairOnce(left, depth); made !== undefined; made = this.pairOnce(left, depth)) left = made;
    return left;
  }

  /** `pieces` with the outermost pairs of tags resolved, to source if none means anything; `undefined` without any. */
  private pairOnce(pieces: readonly Piece[], depth: number): Piece[] | undefined {
    const pairs = matchTags(pieces, (piece) => ('tag' in piece ? piece.tag : undefined));
    if (pairs.size === 0) return undefined;
    const made: Piece[] = [];
    let found = 0;
    for (let index = 0; index < pieces.length; index++) {
      const piece = pieces[index];
      if (piece === undefined) break;
      const end = pairs.get(index);
      const inside = pieces.slice(index + 1, end ?? index);
      const pair = 'tag' in piece && inside.some(isContent) ? this.pair(piece, inside, depth) : undefined;
      for (const one of pair ?? [piece]) made.push(one);
      if (pair === undefined) continue;
      found++;
      index = end ?? index;
    }
    if (found > 0) return made;
    const plain = new Set([...pairs].flat());
    return pieces.map((piece, index) =>
      'tag' in piece && plain.has(index) ? { inline: sourceInline(piece.tag.source) } : piece,
    );
  }

  /** What a tag and `inside`, up to its end, are; `undefined` when the tag means nothing here. */
  private pair({ tag, marks }: TagPiece, inside: readonly Piece[], depth: number): Piece[] | undefined {
    const mark = readMarkTag(tag);
    if (mark !== undefined) return this.pairUp(inside, depth + 1).map((piece) => withMarkOn(piece, mark));
    const isPlain = inside.every((piece) => 'text' in piece && sameMarks(piece.marks, marks));
    const text = inside.map((piece) => ('text' in piece ? piece.text.replaceAll('\n', ' ') : '')).join('');
    const inline = isPlain ? readVoidTag(tag, text, (url) => resolveRef(this.context, url, 'link')) : undefined;
    const fits = this.place.inLink !== true || (inline !== undefined && IN_LINKS.has(inline.type));
    if (inline !== undefined) return fits ? [{ inline }] : undefined;
    const target = readLinkTag(tag);
    if (
      target === undefined ||
      !fits ||
      inside.some((piece) => 'inline' in piece && !IN_LINKS.has(piece.inline.type))
    ) {
      return undefined;
    }
    const reader = new InlineReader(this.context, { ...this.place, inLink: true });
    return [this.linkTo(joinPieces(reader.pairUp(inside, depth + 1)), target.url, target.title)];
  }

  private one(node: PhrasingContent, marks: readonly Mark[], depth: number): Piece[] {
    switch (node.type) {
      case 'text':
        return [{ text: node.value.replace(/\r\n?|\n/g, ' '), marks }];
      case 'break':
        return [{ text: '\n', marks }];
      case 'emphasis':
        return this.read(node.children, withMark(marks, { object: 'mark', type: 'italic' }), depth + 1);
      case 'strong':
        return this.read(node.children, withMark(marks, { object: 'mark', type: 'bold' }), depth + 1);
      case 'delete':
        return this.read(node.children, withMark(marks, { object: 'mark', type: 'strikethrough' }), depth + 1);
      case 'inlineCode':
        return [
          { text: node.value.replace(/\r\n?|\n/g, ' '), marks: withMark(marks, { object: 'mark', type: 'code' }) },
        ];
      case 'inlineMath':
        return [
          { inline: voidInline('inline-math', { formula: this.unescape(node.value.replace(/\r\n?|\n/g, ' ')) }) },
        ];
      case 'html':
        return [this.html(this.unescape(node.value), marks)];
      case 'link':
        return [this.link(node.children, node.url, node.title, marks, depth)];
      case 'linkReference': {
        const target = this.context.definitions.get(node.identifier);
        return [this.link(node.children, target?.url ?? '', target?.title, marks, depth)];
      }
      case 'image':
        return [this.image(node.url, node.alt, node.title)];
      case 'imageReference': {
        const target = this.context.definitions.get(node.identifier);
        return [this.image(target?.url ?? '', node.alt, target?.title)];
      }
      case 'footnoteReference':
        return [this.note(node.identifier, node.label ?? node.identifier, marks)];
      default:
        return [];
    }
  }

  /** In tables a bar has a backslash before it, also where text has none otherwise. */
  private unescape(text: string): string {
    return this.place.inTable === true ? text.replaceAll('\\|', '|') : text;
  }

  private html(source: string, marks: readonly Mark[]): Piece {
    if (/^<br\s*\/?>$/i.test(source)) return { text: '\n', marks };
    const tag = readHtmlTag(source);
    if (tag?.name === 'img') {
      const image = readImageTag(tag.attributes, (url) => resolveRef(this.context, url, 'image'));
      if (image !== undefined) return { inline: inlineImage(image) };
    }
    return tag === undefined ? { inline: sourceInline(source) } : { tag, marks };
  }

  private link(
    nodes: readonly PhrasingContent[],
    url: string,
    title: string | null | undefined,
    marks: readonly Mark[],
    depth: number,
  ): Piece {
    const reader = new InlineReader(this.context, { ...this.place, inLink: true });
    return this.linkTo(reader.content(nodes, marks, depth + 1), url, title);
  }

  private linkTo(content: InlineContent[], url: string, title: string | null | undefined): Piece {
    const ref = resolveRef(this.context, url, 'link');
    if (title === 'mention') {
      const label = textIn(content);
      return { inline: voidInline('mention', label === url ? { ref } : { ref, label }) };
    }
    const data = title === null || title === undefined || title === '' ? { ref } : { ref, title };
    return { inline: { object: 'inline', type: 'link', key: '', isVoid: false, data, nodes: content } };
  }

  private image(url: string, alt: string | null | undefined, title: string | null | undefined): Piece {
    const data = {
      ref: resolveRef(this.context, url, 'image'),
      ...(alt ? { caption: alt.replace(/\r\n?|\n/g, ' ') } : {}),
      ...(title ? { title } : {}),
    };
    return { inline: voidInline('inline-image', data) };
  }

  /** `[text](#user-content-fn-1)[^1]`: a note on a text of its own. */
  private linkedNote(
    link: Extract<PhrasingContent, { type: 'link' }>,
    next: PhrasingContent | undefined,
    marks: readonly Mark[],
    depth: number,
  ): Piece[] | undefined {
    if (!link.url.startsWith('#user-content-fn-') || next?.type !== 'footnoteReference') return undefined;
    if (!this.attaches(next.identifier)) return undefined;
    const reader = new InlineReader(this.context, { ...this.place, inLink: true });
    const content = reader.content(link.children, marks, depth + 1);
    const texts = content.filter((node) => node.object === 'text');
    if (texts.length < content.length) return undefined;
    return [{ inline: this.annotation(next.identifier, next.label ?? next.identifier, texts) }];
  }

  /** Whether this mention of a footnote is the one that the note hangs on. */
  private attaches(identifier: string): boolean {
    const isFree = this.context.footnotes.has(identifier) && !this.context.attached.has(identifier);
    return isFree && this.place.inNote !== true && this.place.inLink !== true;
  }

  private note(identifier: string, label: string, marks: readonly Mark[]): Piece {
    if (!this.attaches(identifier)) return { inline: voidInline('source', { source: `[^${labelText(label)}]` }) };
    const raised = withMark(marks, { object: 'mark', type: 'superscript' });
    return { inline: this.annotation(identifier, label, [textNode(label, [...raised])]) };
  }

  private annotation(identifier: string, label: string, nodes: Text[]): Inline {
    this.context.attached.add(identifier);
    const note = this.context.footnotes.get(identifier);
    const body = {
      object: 'fragment' as const,
      key: '',
      fragment: 'annotation-body',
      type: 'annotation-body',
      nodes: note === undefined ? [] : this.context.readNote(note),
    };
    const data = isFootnoteLabel(label) ? { label } : {};
    return { object: 'inline', type: 'annotation', key: '', isVoid: false, data, nodes, fragments: [body] };
  }
}

type VoidNode<T extends Inline['type']> = Extract<Inline, { type: T; isVoid: true }>;

/** An inline that holds nothing. */
function voidInline<T extends Inline['type']>(type: T, data: VoidNode<T>['data']): Inline {
  return { object: 'inline', type, key: '', isVoid: true, data } as unknown as VoidNode<T>;
}

function sourceInline(source: string): Inline {
  return voidInline('source', { source: oneLine(source) });
}

function inlineImage({ ref, refDark, alt, title, size }: ImageData): Inline {
  const data = {
    ref,
    ...(refDark === undefined ? {} : { refDark }),
    ...(alt === undefined ? {} : { caption: alt }),
    ...(title === undefined ? {} : { title }),
    ...(size === undefined ? {} : { size }),
  };
  return voidInline('inline-image', data);
}

/** `piece` with all of its text set with `mark` too; a colour of its own stays. */
function withMarkOn(piece: Piece, mark: Mark): Piece {
  if ('marks' in piece) return { ...piece, marks: withMark(piece.marks, mark) };
  if ('inline' in piece && 'nodes' in piece.inline) {
    const leaves = piece.inline.nodes.flatMap((node) => (node.object === 'text' ? node.leaves : []));
    for (const leaf of leaves) if (leaf.text !== '') leaf.marks = [...withMark(leaf.marks, mark)];
  }
  return piece;
}

/** The text of `nodes` without marks and inlines. */
function textIn(nodes: readonly InlineContent[]): string {
  return nodes.map((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : '')).join('');
}

/** Whether a mark around `piece` would be seen. */
function isContent(piece: Piece): boolean {
  return 'text' in piece ? piece.text !== '' : 'inline' in piece && piece.inline.type !== 'source';
}

/** `marks` and `mark`, unless one of its type is there: what is set inside counts. */
function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  if (marks.some(({ type }) => type === mark.type)) return marks;
  return [...marks, mark].sort((a, b) => MARK_TYPES.indexOf(a.type) - MARK_TYPES.indexOf(b.type));
}

/** Whether two leaves are set alike. */
function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
}

function joinPieces(pieces: readonly Piece[]): InlineContent[] {
  const content: InlineContent[] = [];
  for (const piece of pieces) {
    if ('inline' in piece) {
      content.push(piece.inline);
      continue;
    }
    if ('tag' in piece) {
      content.push(sourceInline(piece.tag.source));
      continue;
    }
    if (piece.text === '') continue;
    const last = content.at(-1);
    const text = last?.object === 'text' ? last : textNode('');
    if (text !== last) {
      text.leaves = [];
      content.push(text);
    }
    const leaf = text.leaves.at(-1);
    if (leaf !== undefined && sameMarks(leaf.marks, piece.marks)) leaf.text += piece.text;
    else text.leaves.push({ object: 'leaf', text: piece.text, marks: [...piece.marks] });
  }
  return content.length > 0 ? content : [textNode('')];
}
