import type { DescribedOperation } from '../../openapi/index.js';
import type { JSONDocument } from '../../revisions/index.js';
import { shortOf } from './expand-tree.js';
import { callOf, type OpenApiPage, titleOf } from './openapi-pages.js';

type Block = JSONDocument['nodes'][number];

/** Operations on one page, at the most; further ones are left out. */
export const MAX_OPERATIONS = 500;
/** Characters of descriptions on one page, at the most; operations behind are shown without. */
const MAX_TEXT = 200_000;

/** A piece of a page: blocks, or a text of the description's author, which is Markdown. */
type Piece = { blocks: Block[] } | { markdown: string };

/** What stands on `page` of the description with the slug `spec`, from the top down. */
export function* piecesOf(page: OpenApiPage, spec: string): Generator<Piece> {
  if (page.description !== undefined && shortOf(page) === undefined) yield { markdown: page.description };
  let left = MAX_TEXT;
  for (const operation of page.operations.slice(0, MAX_OPERATIONS)) {
    // the page of an operation without tags has its title
    const heading = page.kind !== 'tag' ? [] : [headingOf(titleOf(operation))];
    yield { blocks: [...heading, paragraphOf(callOf(operation), true)] };
    const { description = '' } = operation;
    if (description.length <= left && description.trim() !== '') yield { markdown: description };
    left -= description.length;
    yield { blocks: blockOf(operation, spec) };
  }
  const schemas = page.schemas.filter(isOneLine);
  if (schemas.length > 0) {
    const data = { ref: { kind: 'openapi' as const, spec }, schemas, grouped: true };
    yield { blocks: [{ ...VOID, type: 'openapi-schemas', data, meta: { id: '' } }] };
  }
}

const VOID = { object: 'block', key: '', isVoid: true } as const;

/** The block that shows an operation; nothing for names that no block can hold. */
function blockOf({ method, path, isWebhook }: DescribedOperation, spec: string): Block[] {
  if (!isOneLine(path)) return [];
  const ref = { kind: 'openapi', spec } as const;
  if (isWebhook) return [{ ...VOID, type: 'openapi-webhook', data: { ref, name: path, method }, meta: { id: '' } }];
  return [{ ...VOID, type: 'openapi-operation', data: { ref, path, method }, meta: { id: '' } }];
}

const isOneLine = (text: string): boolean => text.trim() !== '' && !/\p{Cc}/u.test(text);

function headingOf(text: string): Block {
  return {
    ...{ object: 'block', type: 'heading-2', key: '', isVoid: false, data: {}, meta: { id: '' } },
    nodes: [textOf(text)],
  };
}

/** A line of text: `isCode`: as code. */
export function paragraphOf(text: string, isCode = false): Block {
  return { object: 'block', type: 'paragraph', key: '', isVoid: false, data: {}, nodes: [textOf(text, isCode)] };
}

function textOf(text: string, isCode = false) {
  const marks = isCode ? [{ object: 'mark' as const, type: 'code' as const }] : [];
  return { object: 'text' as const, key: '', leaves: [{ object: 'leaf' as const, text, marks }] };
}
