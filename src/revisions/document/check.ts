import { checkTable } from './check-table.js';
import { checkData, fail, isColor, listOf, membersOf, textOf, type Members } from './fields.js';
import { MARK_TYPES, type Block, type Fragment, type JSONDocument, type Mark, type Text } from './model.js';
import { BLOCKS, IN_LINKS, INLINES, type Content, type Shape } from './schema.js';
import { completeTree, MAX_DEPTH, MAX_NODES, plainText } from './tree.js';

const PARTS = new Set(['list-item', 'code-line', 'image', 'tabs-item', 'column', 'stepper-step']);
const ANCHORED = /^(?:heading-[123]|tabs-item|expandable|openapi-\w+|swagger)$/;

/**
 * A copy of `value` that is a document by the grammar and holds nothing else: members that no node has are left out,
 * keys that are missing or taken and all anchors are filled in, marks come in their order.
 * @throws DocumentError whose message names the path of the fault (`nodes[3].leaves[0].text: must be text`).
 */
export function checkDocument(value: unknown): JSONDocument {
  const given = membersOf(value, '');
  if (given['object'] !== 'document') fail('object', 'must be "document"');
  const data = checkData(given['data'], { schemaVersion: { kind: 'whole', min: 0, max: 1_000_000 } }, 'data');
  const nodes = new Checker().nodes(given['nodes'], 'blocks', 'nodes', 1) as Block[];
  return completeTree({ object: 'document', data, nodes });
}

/**
 * A copy of `value` as one block, without keys. @param depth levels of nodes above it.
 * @throws DocumentError when it is none.
 */
export function checkBlock(value: unknown, depth: number): Block {
  return new Checker().node(value, 'blocks', 'block', depth + 1) as unknown as Block;
}

class Checker {
  private count = 0;

  nodes(value: unknown, content: Content, at: string, depth: number): unknown[] {
    return listOf(value ?? [], at).map((node, index) => this.node(node, content, `${at}[${index}]`, depth));
  }

  node(value: unknown, content: Content, at: string, depth: number): Members {
    if (depth > MAX_DEPTH) fail(at, `is nested deeper than ${MAX_DEPTH} levels`);
    if (++this.count > MAX_NODES) fail(at, `is beyond ${MAX_NODES} nodes`);
    const given = membersOf(value, at);
    const key = given['key'] === undefined || given['key'] === null ? '' : textOf(given['key'], `${at}.key`);
    if (given['object'] === 'text' && isText(content)) return { ...this.text(given, at), key };
    if (given['object'] === 'inline' && isText(content)) return this.inline(given, content, at, depth, key);
    if (given['object'] === 'block' && !isText(content)) return this.block(given, content, at, depth, key);
    fail(`${at}.object`, `must be ${isText(content) ? '"text" or "inline"' : '"block"'}`);
  }

  private block(given: Members, content: Content, at: string, depth: number, key: string): Members {
    const type = given['type'];
    const isKnown = typeof type === 'string' && Object.hasOwn(BLOCKS, type);
    if (!isKnown || (content === 'blocks' ? PARTS.has(type) : type !== content)) {
      fail(`${at}.type`, content === 'blocks' ? 'is not a type of block that may stand here' : `must be ${content}`);
    }
    const node: Members = { object: 'block', type, key, ...this.rest(given, BLOCKS[type as Block['type']], at, depth) };
    if (type === 'table') return { ...node, ...checkTable(node, membersOf(given['data'], `${at}.data`), at) };
    if (type === 'code-line' && plainText(node['nodes'] as Text[]).includes('\n')) fail(at, 'must be one line');
    return ANCHORED.test(type) ? { ...node, meta: { id: '' } } : node;
  }

  private inline(given: Members, content: Content, at: string, depth: number, key: string): Members {
    const type = given['type'];
    if (typeof type !== 'string' || !Object.hasOwn(INLINES, type)) fail(`${at}.type`, 'is not a type of inline');
    if (content === 'texts' || (content === 'label' && !IN_LINKS.has(type))) fail(`${at}.type`, 'may not stand here');
    return { object: 'inline', type, key, ...this.rest(given, INLINES[type as keyof typeof INLINES], at, depth) };
  }

  /** What both blocks and inlines have: data, content, fragments. */
  private rest(given: Members, shape: Shape, at: string, depth: number): Members {
    const isVoid = shape.content === 'void';
    const node: Members = { isVoid, data: checkData(given['data'], shape.data, `${at}.data`) };
    if (!isVoid) node['nodes'] = this.nodes(given['nodes'], shape.content, `${at}.nodes`, depth + 1);
    if (shape.fragments !== undefined) node['fragments'] = this.fragments(given, shape.fragments, at, depth + 1);
    return node;
  }

  private fragments(given: Members, types: readonly string[] | 'cells', at: string, depth: number): Fragment[] {
    const fragments = listOf(given['fragments'] ?? [], `${at}.fragments`).map((value, index) =>
      this.fragment(value, types, `${at}.fragments[${index}]`, depth),
    );
    const names = fragments.map(({ type, fragment }) => (types === 'cells' ? fragment : type));
    if (new Set(names).size < names.length) fail(`${at}.fragments`, 'are not told apart by their names');
    if (types === 'cells') return fragments;
    return types.flatMap((type) => fragments.filter((fragment) => fragment.type === type));
  }

  private fragment(value: unknown, types: readonly string[] | 'cells', at: string, depth: number): Fragment {
    if (depth > MAX_DEPTH) fail(at, `is nested deeper than ${MAX_DEPTH} levels`);
    const given = membersOf(value, at);
    if (given['object'] !== 'fragment') fail(`${at}.object`, 'must be "fragment"');
    const key = given['key'] === undefined ? '' : textOf(given['key'], `${at}.key`);
    const name = textOf(given['type'] ?? given['fragment'], `${at}.fragment`);
    const nodes = this.nodes(given['nodes'], 'blocks', `${at}.nodes`, depth + 1) as Block[];
    if (types === 'cells')
      return { object: 'fragment', key, fragment: textOf(given['fragment'], `${at}.fragment`), nodes };
    if (!types.includes(name)) fail(`${at}.type`, `must be one of ${types.join(', ')}`);
    if (name === 'expandable-title' && (nodes.length !== 1 || nodes[0]?.type !== 'paragraph')) {
      fail(`${at}.nodes`, 'must be one paragraph');
    }
    return { object: 'fragment', key, fragment: name, type: name, nodes };
  }

  private text(given: Members, at: string): Omit<Text, 'key'> {
    const leaves = listOf(given['leaves'], `${at}.leaves`).map((value, index) => {
      const place = `${at}.leaves[${index}]`;
      const leaf = membersOf(value, place);
      const text = textOf(leaf['text'], `${place}.text`).replace(/\r\n?/g, '\n');
      return { object: 'leaf' as const, text, marks: checkMarks(leaf['marks'], `${place}.marks`) };
    });
    return { object: 'text', leaves };
  }
}

function isText(content: Content): boolean {
  return content === 'inline' || content === 'texts' || content === 'label';
}

function checkMarks(value: unknown, at: string): Mark[] {
  const marks = listOf(value, at).map((mark, index) => checkMark(mark, `${at}[${index}]`));
  if (new Set(marks.map(({ type }) => type)).size < marks.length) fail(at, 'holds a mark twice');
  return marks.sort((a, b) => MARK_TYPES.indexOf(a.type) - MARK_TYPES.indexOf(b.type));
}

function checkMark(value: unknown, at: string): Mark {
  const given = membersOf(value, at);
  const type = MARK_TYPES.find((known) => known === given['type']);
  if (type === undefined) fail(`${at}.type`, 'is not a type of mark');
  if (type !== 'color') return { object: 'mark', type };
  const data = membersOf(given['data'], `${at}.data`);
  const [text, background] = [data['text'] ?? 'default', data['background'] ?? 'default'];
  if (!isColor(text) || !isColor(background)) fail(`${at}.data`, 'must name colours of the palette');
  return { object: 'mark', type, data: { text, background } };
}
