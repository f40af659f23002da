import { footnoteText } from './escape.js';
import { lengthText, type Field } from './fields.js';
import { alignedParagraph, imageTag } from './inline-tags.js';
import { attributesText, BLOCK_TAG, CODE_ATTRIBUTES, CODE_TAG, TAGGED } from './markup.js';
import type {
  Annotation,
  Block,
  Code,
  ContentRef,
  Fragment,
  Image,
  Images,
  InlineContent,
  Length,
  List,
} from './model.js';
import type { WriteRef } from './references.js';
import { BLOCKS } from './schema.js';
import { plainText } from './tree.js';
import { writeInlines } from './write-inline.js';
import { writeTable } from './write-table.js';

type ItemNode = List['nodes'][number];
const MAX_NUMBER = 999_999_999;

/** Spells one document. Footnotes are collected on the way and come last. */
export class BlockWriter {
  private readonly notes: { label: string; body: readonly Block[] }[] = [];
  private readonly labels = new Set<string>();

  /** @param isRaw whether source, left as it is, would be read as one block again that is kept as source. */
  constructor(
    private readonly write: WriteRef,
    private readonly isRaw: (source: string) => boolean,
  ) {}

  /** The Markdown of a whole document. */
  document(blocks: readonly Block[]): string {
    const [first] = blocks;
    // three dashes on the first line would open front matter
    const parts = first?.type === 'divider' ? ['***', this.blocks(blocks.slice(1))] : [this.blocks(blocks)];
    for (let index = 0; index < this.notes.length; index++) {
      const note = this.notes[index];
      if (note !== undefined) parts.push(footnoteText(note.label, this.blocks(note.body)));
    }
    const text = parts.filter((part) => part !== '').join('\n\n');
    return text === '' ? '' : `${text.replace(/^\uFEFF/, '&#xFEFF;')}\n`;
  }

  private readonly note = (annotation: Annotation): string => {
    const wanted = annotation.data.label;
    let label = wanted ?? '1';
    for (let next = 1; this.labels.has(label.toLowerCase()); next++) label = String(next);
    this.labels.add(label.toLowerCase());
    this.notes.push({ label, body: annotation.fragments[0]?.nodes ?? [] });
    return label;
  };

  private readonly text = (nodes: readonly InlineContent[], mode: 'flow' | 'line' | 'cell'): string =>
    writeInlines(nodes, { write: this.write, note: this.note }, mode);

  private blocks(blocks: readonly Block[]): string {
    return this.parts(blocks).join('\n\n');
  }

  /** One text a block; paragraphs that hold nothing have none. */
  private parts(blocks: readonly Block[], parentBullet = ''): string[] {
    const parts: string[] = [];
    let previous = parentBullet;
    for (const block of blocks) {
      const marker = isList(block) ? nextMarker(block, previous) : '';
      const text = isList(block) ? this.list(block, marker) : this.block(block, parentBullet);
      if (text === '') continue;
      parts.push(text);
      previous = marker;
    }
    return parts;
  }

  private block(block: Block, bullet: string): string {
    switch (block.type) {
      case 'paragraph': {
        if (block.data.align !== undefined) return alignedParagraph(block.data.align, this.title([block]));
        return this.text(block.nodes, 'flow');
      }
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        return block.data.align === undefined ? this.heading(block) : this.embedded(block);
      case 'blockquote':
        return quote(this.blocks(block.nodes));
      case 'code':
        return this.code(block);
      case 'divider':
        return bullet === '-' ? '***' : '---';
      case 'math':
        return math(block.data.formula);
      case 'images':
        return this.images(block);
      case 'expandable':
        return this.expandable(block.fragments);
      case 'table':
        return writeTable(block, (nodes) => this.text(nodes, 'cell')) ?? this.embedded(block);
      case 'content-ref':
        return this.card(block);
      case 'source':
        return block.data.source.trim();
      default:
        return this.tagged(block);
    }
  }

  private heading(block: Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }>): string {
    const level = block.data.level ?? Number(block.type.slice(-1));
    const id =
      block.data.id === undefined ? '' : ` <a${attributesText({ href: `#${block.data.id}`, id: block.data.id })}></a>`;
    const text = `${this.text(block.nodes, 'line')}${id}`;
    return `${'#'.repeat(level)}${text === '' ? '' : ' '}${text}`;
  }

  private list(list: List, marker: string): string {
    const start = list.type === 'list-ordered' ? (list.data.start ?? 1) : 0;
    const items = list.nodes.map((item, index) => {
      const sign = list.type === 'list-ordered' ? `${Math.min(start + index, MAX_NUMBER)}${marker}` : marker;
      return this.item(item, sign);
    });
    const isTight = list.nodes.every(isTightItem);
    return items.join(isTight ? '\n' : '\n\n');
  }

  private item(item: ItemNode, sign: string): string {
    const parts = this.parts(item.nodes, sign);
    const { checked } = item.data;
    if (checked !== undefined) {
      const [first] = item.nodes;
      const hasText = first?.type === 'paragraph' && first.data.align === undefined && plainOrInline(first.nodes);
      const text = hasText ? (parts.shift() ?? '') : '&#x20;';
      parts.unshift(`[${checked ? 'x' : ' '}] ${text}`);
    }
    const text = parts.join(isTightItem(item) ? '\n' : '\n\n');
    return text === '' ? sign : `${sign} ${indent(text, sign.length + 1)}`;
  }

  private code(block: Code): string {
    const { data, nodes } = block;
    const text = nodes.map((line) => plainText(line.nodes)).join('\n');
    if (data.raw === true && this.isRaw(text)) return text;
    if (nodes.some(isRichLine)) return this.embedded(block);
    const info = `${data.syntax ?? ''}${data.info ?? ''}`.replace(
      /[\\&`]/g,
      (character) => `&#${character.charCodeAt(0)};`,
    );
    const size = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1;
    const fence = '`'.repeat(size);
    const code = `${fence}${info}\n${text}\n${fence}`;
    const attributes = attributesOf(data, CODE_ATTRIBUTES, BLOCKS.code.data, this.write);
    return attributes === '' ? code : `{% ${CODE_TAG}${attributes} %}\n${code}\n{% end${CODE_TAG} %}`;
  }

  private images(block: Images): string {
    const { align, fullWidth } = block.data;
    const isPlain = align === undefined && fullWidth !== true && block.nodes.every(isPlainImage);
    if (block.nodes.length === 0) return '';
    if (isPlain) {
      const inlines = block.nodes.map(({ data: { alt, ...data } }): InlineContent => {
        const more = alt === undefined ? {} : { caption: alt };
        return { object: 'inline', type: 'inline-image', key: '', isVoid: true, data: { ...data, ...more } };
      });
      return inlines.map((image) => this.text([image], 'line')).join(' ');
    }
    const figures = block.nodes.map((image) => this.figure(image)).join(' ');
    if (align === undefined && fullWidth !== true && block.nodes.length === 1) return figures;
    return `<div${attributesText({ align, 'data-full-width': fullWidth === true ? 'true' : undefined })}>${figures}</div>`;
  }

  private figure({ data, fragments }: Image): string {
    const captions = (fragments[0]?.nodes ?? []).map((node) => `<p>${this.title([node])}</p>`);
    return `<figure>${imageTag(data, this.write)}<figcaption>${captions.join('')}</figcaption></figure>`;
  }

  private expandable(fragments: readonly Fragment[]): string {
    const nodes = (type: string): readonly Block[] => fragments.find((fragment) => fragment.type === type)?.nodes ?? [];
    const summary = `<summary>${this.title(nodes('expandable-title'))}</summary>`;
    const body = this.blocks(nodes('expandable-body'));
    return ['<details>', summary, body, '</details>'].filter((part) => part !== '').join('\n\n');
  }

  /** Blocks as one line between tags of HTML; marks go where the line would otherwise end those tags. */
  private title(blocks: readonly Block[]): string {
    const [only] = blocks;
    const text = blocks.length === 1 && only?.type === 'paragraph' ? this.text(only.nodes, 'line') : undefined;
    const isSafe = text !== undefined && !/(?<!\\)<\/?(?:summary|figcaption|p|details)\b/i.test(text);
    // a backslash at the end would seem to belong to the tag
    return isSafe ? text.replace(/\\\\$/, '&#x5C;') : this.text([plainNode(plainText(blocks))], 'line');
  }

  private card(block: Extract<Block, { type: 'content-ref' }>): string {
    const open = this.openTag(block, 'content-ref');
    const { ref, title } = block.data;
    if (title === undefined) return open;
    const link: InlineContent = {
      ...({ object: 'inline', type: 'link', key: '', isVoid: false, data: { ref } } as const),
      nodes: [plainNode(title)],
    };
    return `${open}\n${this.text([link], 'flow')}\n{% endcontent-ref %}`;
  }

  /** Blocks between tags, or one tag. What tags cannot say is written as JSON. */
  private tagged(block: Block): string {
    const spelling = TAGGED[block.type];
    if (spelling === undefined) return this.embedded(block);
    const open = this.openTag(block, spelling.tag);
    if (block.isVoid) return open;
    const body = 'nodes' in block ? this.inner(block.nodes) : '';
    return `${open}\n${body}\n{% end${spelling.tag} %}`;
  }

  private inner(nodes: readonly (Block | InlineContent)[]): string {
    const parts = this.parts(nodes.filter((node) => node.object === 'block'));
    // HTML and tables go on until a blank line
    const end = /^[<|]/.test(parts.at(-1) ?? '') ? '\n' : '';
    return parts.join('\n\n') + end;
  }

  private openTag(block: Block, tag: string): string {
    const { attributes = {} } = TAGGED[block.type] ?? {};
    return `{% ${tag}${attributesOf(block.data, attributes, BLOCKS[block.type].data, this.write)} %}`;
  }

  /** A block that Markdown has no spelling for, as JSON. */
  private embedded(block: Block): string {
    const json = JSON.stringify(
      block,
      (name, value: unknown) => (name === 'key' || name === 'meta' ? undefined : value),
      2,
    );
    return `{% ${BLOCK_TAG} %}\n\`\`\`json\n${json.replaceAll('`', '\\u0060')}\n\`\`\`\n{% end${BLOCK_TAG} %}`;
  }
}

function isList(block: Block): block is List {
  return block.type === 'list-ordered' || block.type === 'list-unordered' || block.type === 'list-tasks';
}

/** Bullets and number signs alternate where two lists meet, and where a list opens an item. */
function nextMarker(list: List, previous: string): string {
  const [usual, other] = list.type === 'list-ordered' ? ['.', ')'] : ['-', '*'];
  return previous === usual ? other : usual;
}

/** Whether the parts of an item need no blank line between them. */
function isTightItem({ nodes }: ItemNode): boolean {
  const [first, second] = nodes;
  if (nodes.length > 2 || first?.type !== 'paragraph' || first.data.align !== undefined) return false;
  const isText = plainOrInline(first.nodes);
  if (second === undefined) return true;
  return isText && isList(second) && startsWithText(second);
}

function startsWithText(list: List): boolean {
  const [first] = list.nodes[0]?.nodes ?? [];
  // only a list that counts from one can follow a paragraph directly
  if (list.type === 'list-ordered' && list.data.start !== undefined && list.data.start !== 1) return false;
  return first?.type === 'paragraph' && plainOrInline(first.nodes);
}

function plainNode(text: string): InlineContent {
  return { object: 'text', key: '', leaves: [{ object: 'leaf', text, marks: [] }] };
}

/** Whether a text holds anything. */
function plainOrInline(nodes: readonly InlineContent[]): boolean {
  return nodes.some((node) => node.object === 'inline' || node.leaves.some(({ text }) => text !== ''));
}

function isRichLine({ data, nodes }: Code['nodes'][number]): boolean {
  return (
    data.highlighted === true ||
    nodes.some((node) => node.object === 'inline' || node.leaves.some(({ marks }) => marks.length > 0))
  );
}

function isPlainImage({ data, fragments }: Image): boolean {
  const isSized = data.width !== undefined || data.height !== undefined || data.refDark !== undefined;
  return !isSized && fragments.every(({ nodes }) => nodes.length === 0);
}

function indent(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function math(formula: string): string {
  const size = Math.max(1, ...(formula.match(/\$+/g) ?? []).map((run) => run.length)) + 1;
  const fence = '$'.repeat(size);
  return `${fence}\n${formula}\n${fence}`;
}

function attributesOf(
  data: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, Field>>,
  write: WriteRef,
): string {
  const values: Record<string, string | undefined> = {};
  for (const [attribute, member] of Object.entries(names)) {
    const [value, field] = [data[member], fields[member]];
    if (value !== undefined && field !== undefined) values[attribute] = valueText(value, field, attribute, write);
  }
  return attributesText(values);
}

function valueText(value: unknown, field: Field, attribute: string, write: WriteRef): string {
  switch (field.kind) {
    case 'ref': {
      const ref = value as ContentRef;
      return attribute === 'spec' && ref.kind === 'openapi' ? ref.spec : write(ref);
    }
    case 'length':
      return lengthText(value as Length);
    case 'texts':
      return (value as string[]).map((text) => text.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
    default:
      return String(value);
  }
}
