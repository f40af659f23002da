type Node = Record<string, unknown>;

const VOID = new Set([
  ...['image', 'expandable', 'table', 'divider', 'math', 'embed', 'content-ref', 'file', 'drawing', 'reusable-content'],
  ...['integration', 'swagger', 'openapi-operation', 'openapi-schemas', 'openapi-webhook', 'source'],
]);
const HOLDERS = new Set([
  ...['paragraph', 'heading-1', 'heading-2', 'heading-3', 'list-ordered', 'list-unordered', 'list-tasks', 'list-item'],
  ...['columns', 'column', 'code', 'code-line', 'hint', 'images', 'tabs', 'tabs-item', 'blockquote', 'stepper'],
  ...['stepper-step', 'if'],
]);
const INLINES = new Set([
  ...[
    'link',
    'inline-math',
    'annotation',
    'emoji',
    'mention',
    'inline-image',
    'button',
    'icon',
    'expression',
    'source',
  ],
]);
const MARKS = new Set([
  ...['bold', 'italic', 'code', 'strikethrough', 'keyboard', 'superscript', 'subscript', 'color'],
]);
const REFS: Record<string, string> = {
  url: 'url',
  page: 'page',
  anchor: 'anchor',
  file: 'file',
  space: 'space',
  user: 'user',
  collection: 'collection',
  'reusable-content': 'reusableContent',
  openapi: 'spec',
};
/** What only stands in one kind of block. */
const PARENTS: Record<string, string> = {
  image: 'images',
  'code-line': 'code',
  'tabs-item': 'tabs',
  column: 'columns',
};
/** What an anchor leads to. */
const ANCHORED = new Set([
  ...['heading-1', 'heading-2', 'heading-3', 'tabs-item', 'expandable'],
  ...['openapi-operation', 'openapi-schemas', 'openapi-webhook'],
]);

const isList = (value: unknown): value is Node[] => Array.isArray(value);
const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null && !isList(value);

/** What of a tree of nodes whoever renders it could not take, each with its place; and the types that are in it. */
export function checkGrammar(document: unknown): { problems: string[]; types: Set<string> } {
  const problems: string[] = [];
  const types = new Set<string>();
  const keys = new Set<unknown>();
  const demand = (holds: boolean, place: string, what: string): void => {
    if (!holds) problems.push(`${place}: ${what}`);
  };
  const ref = (value: unknown, place: string): void => {
    const kind = isObject(value) ? String(value.kind) : '';
    demand(
      isObject(value) && typeof value[REFS[kind] ?? ''] === 'string',
      place,
      `a reference ${JSON.stringify(value)}`,
    );
  };
  const each = (list: unknown, place: string, check: (node: Node, at: string) => void): void => {
    demand(isList(list), place, 'a list');
    if (isList(list))
      list.forEach((node, index) => {
        check(node, `${place}/${String(index)}`);
      });
  };
  const leaf = ({ object, text, marks }: Node, place: string): void => {
    demand(object === 'leaf' && typeof text === 'string', place, 'a leaf');
    each(marks, `${place}/marks`, (mark, at) => {
      demand(mark.object === 'mark' && MARKS.has(String(mark.type)), at, `a mark ${String(mark.type)}`);
      types.add(`mark ${String(mark.type)}`);
    });
  };
  const node = (one: Node, place: string, parent: string): void => {
    const { object, type, data } = one;
    const name = String(type ?? object);
    const at = `${place} ${name}`;
    demand(typeof one.key === 'string' && !keys.has(one.key), at, 'a key of its own');
    keys.add(one.key);
    types.add(name);
    if (object === 'text') {
      demand(isList(one.leaves) && one.leaves.length > 0, at, 'leaves');
      each(one.leaves, at, leaf);
      return;
    }
    if (object === 'fragment') {
      demand(typeof (type ?? one.fragment) === 'string', at, 'a name');
      each(one.nodes, at, (child, below) => {
        node(child, below, 'fragment');
      });
      return;
    }
    demand(object === 'block' || object === 'inline', at, `an object ${String(object)}`);
    demand(object === 'block' ? VOID.has(name) || HOLDERS.has(name) : INLINES.has(name), at, 'a type that is known');
    demand(isObject(data), at, 'data');
    if (isObject(data)) for (const part of ['ref', 'refDark']) if (data[part] !== undefined) ref(data[part], at);
    demand(PARENTS[name] === undefined || PARENTS[name] === parent, at, `a place in ${String(PARENTS[name])}`);
    if (ANCHORED.has(name)) demand(isObject(one.meta) && typeof one.meta.id === 'string', at, 'an anchor');
    if (object === 'block') demand(one.isVoid === VOID.has(name), at, 'isVoid');
    if (HOLDERS.has(name))
      each(one.nodes, at, (child, below) => {
        node(child, below, name);
      });
    else if (one.nodes !== undefined)
      each(one.nodes, at, (child, below) => {
        node(child, below, name);
      });
    if (one.fragments !== undefined)
      each(one.fragments, at, (child, below) => {
        node(child, below, name);
      });
    if (name === 'table' && isObject(data)) table(data, one.fragments, at);
    if (name === 'hint') demand(isList(one.nodes) && one.nodes.length > 0, at, 'a block in it');
    if (name === 'expandable')
      demand(
        isList(one.fragments) && one.fragments.map((part) => part.type).join() === 'expandable-title,expandable-body',
        at,
        'a title and a body',
      );
  };
  const table = ({ view, definition, records }: Node, fragments: unknown, at: string): void => {
    const names = new Set(isList(fragments) ? fragments.map((fragment) => fragment.fragment) : []);
    if (!isObject(view) || !isObject(definition) || !isObject(records)) {
      problems.push(`${at}: view, definition and records`);
      return;
    }
    demand(isList(view.columns), at, 'columns');
    for (const column of view.columns as string[]) {
      const defined = definition[column];
      demand(isObject(defined) && defined.id === column && typeof defined.title === 'string', at, `a column ${column}`);
      for (const record of Object.values(records)) {
        demand(isObject(record) && typeof record.orderIndex === 'string', at, 'the order of rows');
        const value = isObject(record) && isObject(record.values) ? record.values[column] : undefined;
        if (isObject(defined) && defined.type === 'text') demand(names.has(value), at, `a fragment ${String(value)}`);
      }
    }
  };
  const { object, data, nodes } = document as Node;
  demand(object === 'document' && isObject(data), 'the root', 'a document');
  each(nodes, 'document', (child, at) => {
    node(child, at, 'document');
  });
  return { problems, types };
}
