import { checkDocument } from './check.js';
import { toDocument } from './convert.js';
import { DocumentError } from './document-error.js';

const leaf = (text: unknown, marks: unknown = []): object => ({ object: 'leaf', text, marks });
const text = (...leaves: unknown[]): object => ({ object: 'text', leaves });
const block = (type: string, nodes: unknown, data: unknown = {}): object => ({ object: 'block', type, data, nodes });
const paragraph = block('paragraph', [text(leaf('a'))]);
const document = (...nodes: unknown[]): unknown => ({ object: 'document', data: {}, nodes });
const link = (ref: unknown, nodes: unknown[] = [text(leaf('a'))]): object => ({
  object: 'inline',
  type: 'link',
  data: { ref },
  nodes,
});

function nested(levels: number): unknown {
  let node = paragraph;
  for (let level = 0; level < levels; level++) node = block('blockquote', [node]);
  return document(node);
}

describe('checkDocument', () => {
  it('fills in keys and anchors, leaves out what no node has, and puts marks in order', () => {
    const marks = [
      { object: 'mark', type: 'code' },
      { object: 'mark', type: 'bold', x: 1 },
    ];
    const heading = {
      ...block('heading-1', [{ ...text(leaf('A b', marks)), key: 'n1' }], { x: 1, id: '' }),
      meta: { id: 'x' },
      key: 'n1',
      x: 1,
    };
    expect(checkDocument({ ...(document(heading) as object), x: 1 })).toEqual({
      object: 'document',
      data: {},
      nodes: [
        {
          ...{ object: 'block', type: 'heading-1', key: 'n1', isVoid: false, data: {}, meta: { id: 'a-b' } },
          nodes: [
            {
              ...{ object: 'text', key: 'n2' },
              leaves: [
                {
                  object: 'leaf',
                  text: 'A b',
                  marks: [
                    { object: 'mark', type: 'bold' },
                    { object: 'mark', type: 'code' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it.each<[value: unknown, message: string]>([
    [null, 'document: must be an object'],
    [[], 'document: must be an object'],
    [{ object: 'block' }, 'object: must be "document"'],
    [{ object: 'document', nodes: 5 }, 'nodes: must be a list'],
    [document('x'), 'nodes[0]: must be an object'],
    [document(text(leaf('a'))), 'nodes[0].object: must be "block"'],
    [document(block('list-item', [])), 'nodes[0].type: is not a type of block that may stand here'],
    [document(block('constructor', [])), 'nodes[0].type: is not a type of block that may stand here'],
    [document(block('tabs', [paragraph])), 'nodes[0].nodes[0].type: must be tabs-item'],
    [document(paragraph, block('paragraph', [paragraph])), 'nodes[1].nodes[0].object: must be "text" or "inline"'],
    ['document', 'document: must be an object'],
    [document(block('paragraph', [{ object: 'text' }])), 'nodes[0].nodes[0].leaves: must be a list'],
    [
      document(block('paragraph', [text({ object: 'leaf', text: 'a' })])),
      'nodes[0].nodes[0].leaves[0].marks: must be a list',
    ],
    [document(block('paragraph', [text(leaf(5))])), 'nodes[0].nodes[0].leaves[0].text: must be text'],
    [
      document(block('paragraph', [text(leaf('\ud800'))])),
      'nodes[0].nodes[0].leaves[0].text: holds characters that text cannot have',
    ],
    [
      document(block('paragraph', [text(leaf('a', [{ type: 'loud' }]))])),
      'nodes[0].nodes[0].leaves[0].marks[0].type: is not a type of mark',
    ],
    [document(block('code', [block('code-line', [text(leaf('a\nb'))])])), 'nodes[0].nodes[0]: must be one line'],
    [
      document(block('hint', [paragraph], { style: 'loud' })),
      'nodes[0].data.style: must be one of info, warning, danger, success',
    ],
    [
      document(block('list-ordered', [], { start: 1.5 })),
      'nodes[0].data.start: must be a whole number from 0 to 999999999',
    ],
    [document({ ...block('embed', []), isVoid: true }), 'nodes[0].data.url: is missing'],
    [
      document(block('paragraph', [link({ kind: '__proto__' })])),
      'nodes[0].nodes[0].data.ref.kind: is not a kind of reference',
    ],
    [document(block('paragraph', [link({ kind: 'page' })])), 'nodes[0].nodes[0].data.ref.page: must be text'],
    [
      document(block('paragraph', [link({ kind: 'url', url: 'a' }, [link({ kind: 'url', url: 'b' })])])),
      'nodes[0].nodes[0].nodes[0].type: may not stand here',
    ],
    [
      document(JSON.parse('{"object":"block","type":"table","data":{"definition":{"__proto__":{}}}}')),
      'nodes[0].data.definition: has a member with a name that is not allowed',
    ],
    [
      document({
        ...block('table', []),
        data: { definition: {}, records: {}, view: { type: 'grid', columns: ['a'] } },
      }),
      'nodes[0].data.view.columns[0]: is not a column',
    ],
  ])('refuses %j', (value, message) => {
    expect(() => checkDocument(value)).toThrow(new DocumentError(message));
  });

  it('bounds depth', () => {
    expect(checkDocument(nested(62)).nodes).toHaveLength(1);
    expect(() => checkDocument(nested(63))).toThrow(/nodes\[0\]: is nested deeper than 64 levels$/);
    expect(() => checkDocument(nested(5000))).toThrow(DocumentError);
  });

  it('bounds the number of nodes', () => {
    expect(() => checkDocument(document(...Array.from({ length: 100_001 }, () => paragraph)))).toThrow(
      /is beyond 200000 nodes$/,
    );
  });

  it('reaches no prototype', () => {
    const given: unknown = JSON.parse(
      '{"object":"document","__proto__":{"x":1},"nodes":[{"object":"block","type":"divider","data":{"__proto__":{"x":1}}}]}',
    );
    const checked = checkDocument(given);
    expect(Object.getPrototypeOf(checked)).toBe(Object.prototype);
    expect(JSON.stringify(checked)).not.toContain('"x"');
  });

  it('takes what reading makes', () => {
    const read = toDocument('# a\n\n- [x] b\n\n| c |\n|--|\n| d |\n');
    expect(checkDocument(JSON.parse(JSON.stringify(read)))).toEqual(read);
  });
});
