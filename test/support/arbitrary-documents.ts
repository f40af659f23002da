import fc from 'fast-check';
import {
  emptyText,
  flowText,
  id,
  isBlank,
  line,
  lineText,
  name,
  optional,
  paragraphContent,
  ref,
  textNode,
  texts,
} from './arbitrary-texts.js';
import type { Block, ContentRef, Fragment, Inline, JSONDocument, Leaf } from '../../src/revisions/document/model.js';
import { completeTree, plainText } from '../../src/revisions/document/tree.js';

const block = (type: Block['type'], data: object, nodes: readonly unknown[]): Block =>
  ({ object: 'block', type, key: '', isVoid: false, data, nodes }) as unknown as Block;
const voidBlock = (type: Block['type'], data: object, more: object = {}): Block =>
  ({ object: 'block', type, key: '', isVoid: true, data, ...more }) as unknown as Block;
const anchored = (value: Block): Block => ({ ...value, meta: { id: '' } }) as Block;
const fragment = (type: string, nodes: Block[]): Fragment => ({
  object: 'fragment',
  key: '',
  fragment: type,
  type,
  nodes,
});
const isEmpty = (value: Block): boolean =>
  JSON.stringify(value).includes('"leaves":[{"object":"leaf","text":"","marks":[]}]') && value.type === 'paragraph';

const paragraph = paragraphContent.map((nodes) => block('paragraph', {}, nodes));
const heading = fc
  .tuple(
    fc.constantFrom('heading-1' as const, 'heading-2' as const, 'heading-3' as const),
    line,
    fc.option(name),
    fc.option(fc.constantFrom(4, 5, 6)),
    fc.option(fc.constant('center')),
  )
  .map(([type, nodes, own, level, align]) => {
    const data = {
      ...(own === null ? {} : { id: `x-${own}` }),
      ...(level === null || type !== 'heading-3' ? {} : { level }),
      ...(align === null || own !== null ? {} : { align }),
    };
    return anchored(block(type, data, nodes));
  });
const codeText = fc.array(
  fc.oneof(lineText, fc.constantFrom('', '```', '  x', '\ty', '$$', '{% endcode %}', '    deep', '> q')),
  { minLength: 1, maxLength: 4 },
);
const codeLine = (value: string): Block =>
  block('code-line', {}, [{ object: 'text', key: '', leaves: [{ object: 'leaf', text: value, marks: [] }] }]);
const code = fc
  .tuple(
    codeText,
    fc.record(
      {
        syntax: fc.constantFrom('js', 'c++', 'c#', 'rust'),
        title: flowText,
        lineNumbers: fc.boolean(),
        overflow: fc.constantFrom('wrap', 'scroll'),
        fullWidth: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.option(fc.constantFrom(' {1,3}', ',ignore', ' a="b"')),
    fc.boolean(),
  )
  .map(([lines, data, info, highlighted]) => {
    const nodes = lines.map((value, index) =>
      highlighted && index === 0 && value.length % 3 === 0
        ? { ...codeLine(value), data: { highlighted } }
        : codeLine(value),
    );
    return block('code', data.syntax === undefined || info === null ? data : { ...data, info }, nodes);
  });
const image = fc
  .tuple(
    optional(
      {
        ref,
        refDark: ref,
        alt: lineText,
        title: lineText,
        width: fc.constantFrom(64, { unit: '%', value: 50 }),
        height: fc.constant(10),
      },
      ['ref'],
    ),
    fc.array(line, { maxLength: 2 }),
  )
  .map(([data, captions]) => {
    const nodes = captions.filter((nodes) => !isBlank(nodes)).map((nodes) => block('paragraph', {}, nodes));
    return voidBlock('image', data, { fragments: nodes.length > 0 ? [fragment('caption', nodes)] : [] });
  });
const images = fc
  .tuple(
    fc.array(image, { minLength: 1, maxLength: 3 }),
    fc.record(
      { align: fc.constantFrom('left', 'center', 'right'), fullWidth: fc.constant(true) },
      { requiredKeys: [] },
    ),
  )
  .map(([nodes, data]) => block('images', data, nodes));
const cell = line;
const table = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 0, max: 3 }),
    fc.array(cell, { minLength: 12, maxLength: 12 }),
    fc.array(fc.option(fc.constantFrom('left', 'center', 'right')), { minLength: 3, maxLength: 3 }),
    fc.array(fc.oneof(lineText, fc.constant('')), { minLength: 3, maxLength: 3 }),
    fc.constantFrom('text', 'text', 'text', 'number'),
    fc.boolean(),
  )
  .map(([width, height, cells, aligns, titles, lastType, rich]) => {
    const fragments: Fragment[] = [];
    const definition: Record<string, object> = {};
    const ids = Array.from({ length: width }, (_, index) => `c${index + 1}`);
    for (const [index, column] of ids.entries()) {
      const isNumber = lastType === 'number' && index === width - 1;
      const align = aligns[index];
      const first = cells[index];
      const isRich =
        rich &&
        first !== undefined &&
        JSON.stringify(first).includes('"mark"') &&
        first.every((node) => node.object === 'text') &&
        !isNumber;
      const title = isRich ? plainText(first) : (titles[index] ?? '');
      definition[column] = {
        id: column,
        type: isNumber ? 'number' : 'text',
        title,
        ...(align && !isNumber ? { textAlignment: align } : {}),
        ...(isRich ? { header: `h${index + 1}` } : {}),
      };
      if (isRich)
        fragments.push({
          object: 'fragment',
          key: '',
          fragment: `h${index + 1}`,
          nodes: [block('paragraph', {}, first)],
        });
    }
    const records: Record<string, object> = {};
    for (let row = 0; row < height; row++) {
      const values: Record<string, unknown> = {};
      for (const [index, column] of ids.entries()) {
        if (lastType === 'number' && index === width - 1) {
          values[column] = row;
          continue;
        }
        values[column] = `r${row + 1}c${index + 1}`;
        fragments.push({
          object: 'fragment',
          key: '',
          fragment: `r${row + 1}c${index + 1}`,
          nodes: [block('paragraph', {}, cells[3 + row * width + index] ?? [emptyText()])],
        });
      }
      records[`r${row + 1}`] = { orderIndex: String(row + 1).padStart(6, '0'), values };
    }
    const hideHeader = Object.values(definition).every(
      (column) => 'title' in column && column.title === '' && !('header' in column),
    );
    return voidBlock('table', { view: { type: 'grid', columns: ids, hideHeader }, definition, records }, { fragments });
  });
const formula = fc.oneof(lineText, fc.constantFrom('a\nb', '$$', 'x $ y\n\n$$$', ''));
const flag = fc.constantFrom(true, false);
const operation = {
  ref: id.map((spec) => ({ kind: 'openapi', spec })),
  path: lineText,
  method: fc.constantFrom('get', 'post'),
};
const voids = fc.oneof(
  fc.constant(voidBlock('divider', {})),
  formula.map((value) => voidBlock('math', { formula: value })),
  optional({ url: flowText, fullWidth: flag }, ['url']).map((data) => voidBlock('embed', data)),
  optional({ ref, title: lineText.filter((value) => value.trim() !== '') }, ['ref']).map((data) =>
    voidBlock('content-ref', data),
  ),
  ref.map((value) => voidBlock('file', { ref: value })),
  optional<{ ref?: ContentRef }>({ ref }, []).map((data) => voidBlock('drawing', data)),
  ref.map((value) => voidBlock('reusable-content', { ref: value })),
  fc.record(operation).map((data) => anchored(voidBlock('openapi-operation', data))),
  fc
    .record({ ref: operation.ref, name: lineText, method: operation.method })
    .map((data) => anchored(voidBlock('openapi-webhook', data))),
  fc
    .record({
      ref: operation.ref,
      schemas: fc.array(fc.constantFrom('Pet', 'a,b', '50%'), { minLength: 1 }),
      grouped: flag,
    })
    .map((data) => anchored(voidBlock('openapi-schemas', data))),
  fc.record({ ...operation, ref, expanded: flag }).map((data) => anchored(voidBlock('swagger', data))),
  fc
    .record({
      integration: name,
      block: name,
      props: fc.dictionary(name, fc.oneof(lineText, fc.integer(), fc.boolean())),
    })
    .map((data) => voidBlock('integration', { ...data, props: { ...data.props } })),
  fc
    .constantFrom('<!-- a\n\nb -->', '<div class="c">')
    .map((source) => voidBlock('source', { syntax: 'html', source })),
  fc
    .constantFrom('<table><tr><td>a</td></tr></table>', '<div>\n  text\n</div>', '<pre>\n\n*x*\n</pre>')
    .map((source) => block('code', { syntax: 'html', raw: true }, source.split('\n').map(codeLine))),
);

const { blocks } = fc.letrec<{ blocks: Block[]; block: Block }>((tie) => {
  const some = tie('blocks');
  const items = fc.array(fc.tuple(some, fc.option(fc.boolean())), { minLength: 1, maxLength: 3 });
  const container = (type: Block['type'], data: fc.Arbitrary<object>): fc.Arbitrary<Block> =>
    fc.tuple(data, some).map(([value, nodes]) => block(type, value, nodes));
  const group = (
    type: Block['type'],
    child: fc.Arbitrary<Block>,
    data: fc.Arbitrary<object> = fc.constant({}),
  ): fc.Arbitrary<Block> =>
    fc.tuple(data, fc.array(child, { minLength: 1, maxLength: 3 })).map(([value, nodes]) => block(type, value, nodes));
  const isText = (value: Block | undefined): boolean =>
    value?.type === 'paragraph' && value.data.align === undefined && !isBlank(value.nodes);
  const note = fc.tuple(textNode, some, fc.option(name)).map(([node, nodes, label]): Inline => {
    const raised = {
      object: 'text' as const,
      key: '',
      leaves: [
        {
          object: 'leaf' as const,
          text: label ?? '',
          marks: [{ object: 'mark' as const, type: 'superscript' as const }],
        },
      ],
    };
    return {
      object: 'inline',
      type: 'annotation',
      key: '',
      isVoid: false,
      data: { label: label ?? 'n' },
      nodes: [label === null ? node : raised],
      fragments: [fragment('annotation-body', nodes)],
    };
  });
  return {
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((nodes) => {
      const kept = nodes.filter((node) => !isEmpty(node));
      return kept.length > 0 ? kept : [block('paragraph', {}, [emptyText()])];
    }),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      paragraph,
      heading,
      code,
      images,
      table,
      voids,
      fc
        .tuple(fc.constantFrom('start', 'center', 'end'), line)
        .map(([align, nodes]) => block('paragraph', { align }, nodes)),
      container('blockquote', fc.constant({})),
      container(
        'hint',
        fc.record(
          { style: fc.constantFrom('info', 'warning', 'danger', 'success'), icon: fc.constant('star') },
          { requiredKeys: ['style'] },
        ),
      ),
      container('if', fc.record({ expression: flowText })),
      group(
        'tabs',
        container('tabs-item', optional({ title: flowText }, [])).map(anchored),
        optional({ fullWidth: flag }, []),
      ),
      group(
        'columns',
        container('column', fc.record({ width: fc.constantFrom(64, { unit: '%', value: 50 }) }, { requiredKeys: [] })),
      ),
      group('stepper', container('stepper-step', fc.record({ icon: fc.constant('star') }, { requiredKeys: [] }))),
      fc.tuple(line, some).map(([title, body]) =>
        anchored(
          voidBlock(
            'expandable',
            {},
            {
              fragments: [
                fragment('expandable-title', [block('paragraph', {}, title)]),
                fragment('expandable-body', body),
              ],
            },
          ),
        ),
      ),
      fc.tuple(items, fc.option(fc.constantFrom(0, 3, 999_999_998))).map(([list, start]) =>
        block(
          'list-ordered',
          start === null ? {} : { start },
          list.map(([nodes]) => block('list-item', {}, nodes)),
        ),
      ),
      items.map((list) => {
        const nodes = list.map(([nodes, checked]) =>
          block('list-item', checked === null || !isText(nodes[0]) ? {} : { checked }, nodes),
        );
        return block(
          nodes.some((node) => 'checked' in (node as { data: object }).data) ? 'list-tasks' : 'list-unordered',
          {},
          nodes,
        );
      }),
      fc.tuple(textNode, note).map((nodes) => block('paragraph', {}, nodes)),
    ),
  };
});

/** Notes have names of their own and hang outside of notes. */
function settleNotes(nodes: Block[]): Block[] {
  const used = new Set<string>();
  const walk = (value: unknown, inNote: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, inNote));
    if (typeof value !== 'object' || value === null) return value;
    if ('type' in value && value.type === 'annotation' && 'data' in value && 'nodes' in value) {
      let { label } = value.data as { label: string };
      const plain = JSON.stringify(value.nodes).includes(
        `"text":"${label}","marks":[{"object":"mark","type":"superscript"}]`,
      );
      if (inNote || (plain && used.has(label.toLowerCase())))
        return texts([{ object: 'leaf', text: 'note', marks: [] }]);
      for (let next = 1; used.has(label.toLowerCase()); next++) label = `${label}${next}`;
      used.add(label.toLowerCase());
      return { ...value, data: { label }, fragments: walk('fragments' in value ? value.fragments : [], true) };
    }
    const members = Object.entries(value).map(([key, member]) => [key, walk(member, inNote)]);
    return Object.fromEntries(members);
  };
  return joinTexts(walk(nodes, false)) as Block[];
}
function joinTexts(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(joinTexts) as { object?: string; leaves?: Leaf[] }[];
    return items.filter((item, index) => {
      const previous = items[index - 1];
      if (item.object !== 'text' || previous?.object !== 'text') return true;
      return false;
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, joinTexts(member)]));
}
/** Documents of every kind of node, with keys and anchors. */
export const documents = blocks.map((nodes): JSONDocument =>
  completeTree({ object: 'document', data: {}, nodes: settleNotes(nodes) }),
);
