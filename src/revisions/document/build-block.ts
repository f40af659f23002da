import { checkBlock } from './check.js';
import { DocumentError } from './document-error.js';
import { checkData, readLength, type Field, type Members } from './fields.js';
import { BLOCK_TAG, CODE_ATTRIBUTES, CODE_TAG, TAGGED, TYPES_BY_TAG, type Tag } from './markup.js';
import type { Block, ContentRef } from './model.js';
import { BLOCKS } from './schema.js';
import { plainText } from './tree.js';

type Resolve = (url: string, kind: 'link' | 'image') => ContentRef;

/**
 * The blocks that an opening block tag begins; `undefined` when the tag means nothing, or not what is in it.
 * @param inside reads what stands before its end; `undefined` when it has none.
 * @param depth levels of nodes above it.
 */
export function buildBlock(
  tag: Tag,
  inside: (() => Block[]) | undefined,
  depth: number,
  resolve: Resolve,
): Block[] | undefined {
  const attributes = tag.attributes ?? new Map<string, string>();
  if (tag.name === CODE_TAG) return wrappedCode(inside?.() ?? [], attributes, resolve);
  if (tag.name === BLOCK_TAG) return embeddedBlock(inside?.() ?? [], depth);
  const type = TYPES_BY_TAG.get(tag.name);
  const data = type && readData(attributes, TAGGED[type]?.attributes ?? {}, BLOCKS[type].data, resolve);
  if (type === undefined || data === undefined) return undefined;
  const base = { object: 'block', type, key: '', data };
  const { content } = BLOCKS[type];
  const meta = /^(?:tabs-item|openapi|swagger)/.test(type) ? { meta: { id: '' } } : {};
  if (content === 'void') return voidBlock({ ...base, ...meta, isVoid: true } as unknown as Block, inside?.() ?? []);
  const nodes = inside?.();
  if (nodes === undefined) return undefined;
  const isWhole = content === 'blocks' || (nodes.length > 0 && nodes.every((node) => node.type === content));
  if (!isWhole) return undefined;
  const filled = nodes.length > 0 ? nodes : [emptyParagraph()];
  return [{ ...base, ...meta, isVoid: false, nodes: filled } as unknown as Block];
}

/** The data that `attributes` spell; `undefined` when a value is missing or wrong. */
function readData(
  attributes: ReadonlyMap<string, string>,
  names: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, Field>>,
  resolve: Resolve,
): Members | undefined {
  const data: Members = {};
  for (const [attribute, member] of Object.entries(names)) {
    const text = attributes.get(attribute);
    const field = fields[member];
    if (text !== undefined && field !== undefined) data[member] = readValue(text, field, attribute, resolve);
  }
  try {
    return checkData(data, fields, '');
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function readValue(text: string, field: Field, attribute: string, resolve: Resolve): unknown {
  switch (field.kind) {
    case 'flag':
      return text === 'true' || text === '' ? true : text === 'false' ? false : text;
    case 'whole':
      return Number(text);
    case 'length':
      return readLength(text);
    case 'texts':
      return text.split(',').map((part) => decodeListItem(part.trim()));
    case 'ref':
      return attribute === 'spec' ? { kind: 'openapi', spec: text } : resolve(text, 'link');
    default:
      return text;
  }
}

/** A comma inside an item of a list is written `%2C`. */
function decodeListItem(text: string): string {
  return text.replaceAll('%2C', ',').replaceAll('%25', '%');
}

/** A block that holds nothing, followed by what stood before its end. A lone link there is the title of a card. */
function voidBlock(block: Block, inside: Block[]): Block[] {
  const [only] = inside;
  if (block.type !== 'content-ref' || inside.length !== 1 || only?.type !== 'paragraph') return [block, ...inside];
  const [link] = only.nodes;
  const isTitle = only.nodes.length === 1 && link?.object === 'inline' && link.type === 'link';
  if (!isTitle || JSON.stringify(link.data.ref) !== JSON.stringify(block.data.ref)) return [block, ...inside];
  const title = plainText(link.nodes);
  if (title !== '') block.data.title = title;
  return [block];
}

function wrappedCode(inside: Block[], attributes: ReadonlyMap<string, string>, resolve: Resolve): Block[] | undefined {
  const [code] = inside;
  if (inside.length !== 1 || code?.type !== 'code' || code.data.raw === true) return undefined;
  const data = readData(attributes, CODE_ATTRIBUTES, BLOCKS.code.data, resolve);
  return data && [{ ...code, data: { ...code.data, ...data } }];
}

function embeddedBlock(inside: Block[], depth: number): Block[] | undefined {
  const [code] = inside;
  if (inside.length !== 1 || code?.type !== 'code' || code.data.syntax !== 'json') return undefined;
  try {
    return [checkBlock(JSON.parse(code.nodes.map((line) => plainText(line.nodes)).join('\n')), depth)];
  } catch (error) {
    if (error instanceof DocumentError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function emptyParagraph(): Block {
  const nodes = [{ object: 'text' as const, key: '', leaves: [{ object: 'leaf' as const, text: '', marks: [] }] }];
  return { object: 'block', type: 'paragraph', key: '', isVoid: false, data: {}, nodes };
}
