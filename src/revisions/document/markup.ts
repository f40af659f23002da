import type { Block, PlainMarkType } from './model.js';

/** HTML names of the marks; the first one is written. */
export const MARK_TAGS: Readonly<Record<PlainMarkType, readonly string[]>> = {
  bold: ['strong', 'b'],
  italic: ['em', 'i'],
  code: ['code'],
  strikethrough: ['del', 's', 'strike'],
  keyboard: ['kbd'],
  superscript: ['sup'],
  subscript: ['sub'],
};

/** How a block is spelled as a pair of tags, or as one tag where it holds nothing. */
export interface TagSpelling {
  readonly tag: string;
  /** Members of the data by the name of the attribute; `''` is the value that follows the name of the tag. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Blocks that are spelled as `{% tag attribute="value" %}`. */
export const TAGGED: Readonly<Partial<Record<Block['type'], TagSpelling>>> = {
  hint: { tag: 'hint', attributes: { style: 'style', icon: 'icon' } },
  tabs: { tag: 'tabs', attributes: { fullWidth: 'fullWidth' } },
  'tabs-item': { tag: 'tab', attributes: { title: 'title' } },
  columns: { tag: 'columns', attributes: { fullWidth: 'fullWidth' } },
  column: { tag: 'column', attributes: { width: 'width' } },
  stepper: { tag: 'stepper', attributes: {} },
  'stepper-step': { tag: 'step', attributes: { icon: 'icon' } },
  if: { tag: 'if', attributes: { condition: 'expression' } },
  embed: { tag: 'embed', attributes: { url: 'url', fullWidth: 'fullWidth' } },
  'content-ref': { tag: 'content-ref', attributes: { url: 'ref' } },
  file: { tag: 'file', attributes: { src: 'ref' } },
  drawing: { tag: 'drawing', attributes: { src: 'ref' } },
  'reusable-content': { tag: 'include', attributes: { '': 'ref' } },
  'openapi-operation': { tag: 'openapi-operation', attributes: { spec: 'ref', path: 'path', method: 'method' } },
  'openapi-schemas': { tag: 'openapi-schemas', attributes: { spec: 'ref', schemas: 'schemas', grouped: 'grouped' } },
  'openapi-webhook': { tag: 'openapi-webhook', attributes: { spec: 'ref', name: 'name', method: 'method' } },
  swagger: {
    tag: 'openapi',
    attributes: { src: 'ref', path: 'path', method: 'method', expanded: 'expanded', fullWidth: 'fullWidth' },
  },
};
/** The tag around a code fence, and around the JSON of a block that has no spelling of its own. */
export const CODE_TAG = 'code';
export const BLOCK_TAG = 'block';
/** Attributes of the tag around a code fence. */
export const CODE_ATTRIBUTES: Readonly<Record<string, string>> = {
  title: 'title',
  overflow: 'overflow',
  lineNumbers: 'lineNumbers',
  fullWidth: 'fullWidth',
};

/** Block types by the name of their tag. */
export const TYPES_BY_TAG: ReadonlyMap<string, Block['type']> = new Map(
  Object.entries(TAGGED).map(([type, { tag }]) => [tag, type as Block['type']]),
);

/** A tag, of either kind, as it is written; `attributes` is `undefined` on a closing one. */
export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string> | undefined;
  /** The tag as it stands in the source. */
  readonly source: string;
}

const ATTRIBUTE = /([\w:@.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?|"([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The attributes in `text`, by name, entities decoded; a bare one is empty, a value without a name is named `''`. */
export function readAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name, double, single, bare, positional] of text.matchAll(ATTRIBUTE)) {
    const key = name ?? '';
    if (!attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare ?? positional ?? ''));
  }
  return attributes;
}

/** Spells attributes, each with a space before it; `undefined` values are left out. */
export function attributesText(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name === '' ? '' : `${name}=`}"${encodeEntities(value)}"`))
    .join('');
}

/** Spells `text` so that it can stand in an attribute of HTML, of a block tag, in a table or in a line. */
export function encodeEntities(text: string): string {
  return text.replace(/[&<>"|\n\r{}]/g, (character) => {
    const name = Object.entries(ENTITIES).find(([, value]) => value === character)?.[0];
    return name === undefined ? `&#${character.charCodeAt(0)};` : `&${name};`;
  });
}

/** Decodes numeric references and the five of XML; others stay as they are. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? all;
    const code = typeof hex === 'string' ? parseInt(hex, 16) : Number(decimal);
    const isText = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isText ? String.fromCodePoint(code) : all;
  });
}

const BLOCK_TAG_SYNTAX = /\s*(\{%[-\s]*([@\w/.-]+)((?:"[^"]*"|[^"%]|%(?!\}))*)%\})\s*/y;

/** The block tags in a line of them; `undefined` when anything else stands between them. */
export function readTags(line: string): Tag[] | undefined {
  const tags: Tag[] = [];
  for (let end = 0; end < line.length; end = BLOCK_TAG_SYNTAX.lastIndex) {
    BLOCK_TAG_SYNTAX.lastIndex = end;
    const [, source = '', name = '', rest = ''] = BLOCK_TAG_SYNTAX.exec(line) ?? [];
    if (source === '') return undefined;
    const isEnd = name.startsWith('end') && name.length > 3;
    tags.push({ name: isEnd ? name.slice(3) : name, attributes: isEnd ? undefined : readAttributes(rest), source });
  }
  return tags;
}

/** The HTML tag that `source` is, if it is one. */
export function readHtmlTag(source: string): Tag | undefined {
  const body = source.endsWith('/>') ? source.slice(1, -2) : source.slice(1, -1);
  const match = /^(\/?)([a-z][a-z\d-]*)(?=\s|$)/i.exec(body);
  if (match === null || !source.startsWith('<') || !source.endsWith('>')) return undefined;
  const [start, slash, name = ''] = match;
  const attributes = slash === '/' ? undefined : readAttributes(body.slice(start.length));
  return { name: name.toLowerCase(), attributes, source };
}

/**
 * Which opening tags find their end: the index of each with the index of the closing one. A tag between the two that
 * finds none is left out. @param tagOf the tag that an item is, if any.
 */
export function matchTags<T>(items: readonly T[], tagOf: (item: T) => Tag | undefined): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: { name: string; index: number }[] = [];
  const counts = new Map<string, number>();
  const count = (name: string, step: number): void => void counts.set(name, (counts.get(name) ?? 0) + step);
  for (const [index, item] of items.entries()) {
    const tag = tagOf(item);
    if (tag === undefined) continue;
    if (tag.attributes !== undefined) {
      open.push({ name: tag.name, index });
      count(tag.name, 1);
    } else if ((counts.get(tag.name) ?? 0) > 0) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        count(last.name, -1);
        if (last.name !== tag.name) continue;
        pairs.set(last.index, index);
        break;
      }
    }
  }
  return pairs;
}
