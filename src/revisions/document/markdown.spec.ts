import { toDocument, toMarkdown } from './convert.js';
import type { ContentRef } from './model.js';

type Shape = Record<string, unknown>;
const SAME = new Set(['object', 'key', 'isVoid']);

/** The nodes of a document without what follows from their type; texts as strings, `[mark, …]` before what is marked. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  if ('leaves' in value && Array.isArray(value.leaves)) {
    const leaves = value.leaves as { text: string; marks: { type: string }[] }[];
    return leaves.map(({ text, marks }) => (marks.length === 0 ? text : [...marks.map(({ type }) => type), text]));
  }
  const members = Object.entries(value).filter(
    ([name, member]) => !SAME.has(name) && !(name === 'data' && Object.keys(member as Shape).length === 0),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, shape(member)]));
}
const read = (markdown: string): unknown => shape(toDocument(markdown).nodes);
const write = (markdown: string): string => toMarkdown(toDocument(markdown));
const p = (...texts: unknown[]): Shape => ({ type: 'paragraph', nodes: [texts] });
const url = (address: string): ContentRef => ({ kind: 'url', url: address });

describe('blocks', () => {
  it.each<[name: string, markdown: string, nodes: unknown[]]>([
    ['nothing', '', [p('')]],
    ['front matter', '---\ntitle: A\n---\n\ntext', [p('text')]],
    ['lines of a paragraph', 'one\ntwo\\\nthree<br>four', [p('one two\nthree\nfour')]],
    ['a divider', '---', [{ type: 'divider' }]],
    ['a quote', '> a\n> > b', [{ type: 'blockquote', nodes: [p('a'), { type: 'blockquote', nodes: [p('b')] }] }]],
    ['a formula', '$$\na\nb\n$$', [{ type: 'math', data: { formula: 'a\nb' } }]],
    [
      'a hint',
      '{% hint style="danger" %}\na\n{% endhint %}',
      [{ type: 'hint', data: { style: 'danger' }, nodes: [p('a')] }],
    ],
    [
      'an alert',
      '> [!TIP]\n> a *b*',
      [{ type: 'hint', data: { style: 'success' }, nodes: [p('a ', ['italic', 'b'])] }],
    ],
    ['an escaped alert', '> \\[!TIP]\n> a', [{ type: 'blockquote', nodes: [p('[!TIP] a')] }]],
    ['an embed', '{% embed url="https://a.b?c=1&d" %}', [{ type: 'embed', data: { url: 'https://a.b?c=1&d' } }]],
    ['a file', '{% file src="/files/f" %}', [{ type: 'file', data: { ref: { kind: 'file', file: 'f' } } }]],
    [
      'a card',
      '{% content-ref url="/pages/p" %}\n[Page](/pages/p)\n{% endcontent-ref %}',
      [{ type: 'content-ref', data: { ref: { kind: 'page', page: 'p' }, title: 'Page' } }],
    ],
    [
      'reusable content',
      '{% include "/reusable-contents/r" %}',
      [{ type: 'reusable-content', data: { ref: { kind: 'reusable-content', reusableContent: 'r' } } }],
    ],
    [
      'columns in one line of tags',
      '{% columns %}{% column width="50%" %}\na\n{% endcolumn %}{% endcolumns %}',
      [{ type: 'columns', nodes: [{ type: 'column', data: { width: { unit: '%', value: 50 } }, nodes: [p('a')] }] }],
    ],
    [
      'steps in a list',
      '- a\n  {% stepper %}\n  {% step %}\n  b\n  {% endstep %}\n  {% endstepper %}',
      [
        {
          type: 'list-unordered',
          nodes: [
            {
              type: 'list-item',
              nodes: [p('a'), { type: 'stepper', nodes: [{ type: 'stepper-step', nodes: [p('b')] }] }],
            },
          ],
        },
      ],
    ],
    [
      'an aligned paragraph',
      '<p align="center">a **b**</p>',
      [{ type: 'paragraph', data: { align: 'center' }, nodes: [['a ', ['bold', 'b']]] }],
    ],
    [
      'an interface',
      '{% openapi-operation spec="s" path="/a" method="get" %}\n{% endopenapi-operation %}',
      [
        {
          type: 'openapi-operation',
          data: { ref: { kind: 'openapi', spec: 's' }, path: '/a', method: 'get' },
          meta: { id: 'get-a' },
        },
      ],
    ],
  ])('%s', (_name, markdown, nodes) => {
    expect(read(markdown)).toEqual(nodes);
  });

  it('headings with anchors that are unique in the page', () => {
    expect(
      read('# A b\n\n### A *b*\n\n##### C\n\n## D <a href="#own" id="own"></a>\n\n## E <a href="#e" id="e"></a>'),
    ).toEqual([
      { type: 'heading-1', meta: { id: 'a-b' }, nodes: [['A b']] },
      { type: 'heading-3', meta: { id: 'a-b-1' }, nodes: [['A ', ['italic', 'b']]] },
      { type: 'heading-3', data: { level: 5 }, meta: { id: 'c' }, nodes: [['C']] },
      { type: 'heading-2', data: { id: 'own' }, meta: { id: 'own' }, nodes: [['D']] },
      { type: 'heading-2', meta: { id: 'e' }, nodes: [['E']] },
    ]);
  });

  it('headings before tabs, whatever comes first', () => {
    expect(read('{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n{% endtabs %}\n\n# A')).toEqual([
      { type: 'tabs', nodes: [{ type: 'tabs-item', data: { title: 'A' }, meta: { id: 'a-1' }, nodes: [p('a')] }] },
      { type: 'heading-1', meta: { id: 'a' }, nodes: [['A']] },
    ]);
  });

  it('lists', () => {
    const item = (text: string, checked?: boolean): Shape => ({
      type: 'list-item',
      ...(checked === undefined ? {} : { data: { checked } }),
      nodes: [p(text)],
    });
    expect(read('3. a\n4. b\n\n- [x] c\n- [ ] d\n- e')).toEqual([
      { type: 'list-ordered', data: { start: 3 }, nodes: [item('a'), item('b')] },
      { type: 'list-tasks', nodes: [item('c', true), item('d', false), item('e')] },
    ]);
  });

  it('code, with what stands around it and on its fence', () => {
    const line = (text: string): Shape => ({ type: 'code-line', nodes: [[text]] });
    expect(
      read('{% code title="a.js" lineNumbers="true" overflow="wrap" %}\n```js {1}\na\n\nb\n```\n{% endcode %}'),
    ).toEqual([
      {
        type: 'code',
        data: { syntax: 'js', info: ' {1}', title: 'a.js', lineNumbers: true, overflow: 'wrap' },
        nodes: [line('a'), line(''), line('b')],
      },
    ]);
    expect(read('    a\n\n```rust,ignore\n```')).toEqual([
      { type: 'code', nodes: [line('a')] },
      { type: 'code', data: { syntax: 'rust', info: ',ignore' }, nodes: [line('')] },
    ]);
  });

  it('a block that opens', () => {
    const body = { fragment: 'expandable-body', type: 'expandable-body', nodes: [p('b')] };
    const title = { fragment: 'expandable-title', type: 'expandable-title', nodes: [p('T ', ['code', 'x'])] };
    const expandable = { type: 'expandable', meta: { id: 't-x' }, fragments: [title, body] };
    expect(read('<details>\n\n<summary>T `x`</summary>\n\nb\n\n</details>')).toEqual([expandable]);
    expect(read('<details><summary>T `x`</summary>b</details>')).toEqual([expandable]);
  });

  it('images on lines of their own', () => {
    const caption = { fragment: 'caption', type: 'caption', nodes: [p('c ', ['italic', 'd'])] };
    expect(
      read(
        '![a](/files/f "t") ![](u)\n\n<figure><img src="u" alt="a" width="375"><figcaption><p>c <em>d</em></p></figcaption></figure>',
      ),
    ).toEqual([
      {
        type: 'images',
        nodes: [
          { type: 'image', data: { ref: { kind: 'file', file: 'f' }, alt: 'a', title: 't' }, fragments: [] },
          { type: 'image', data: { ref: url('u') }, fragments: [] },
        ],
      },
      {
        type: 'images',
        nodes: [{ type: 'image', data: { ref: url('u'), alt: 'a', width: 375 }, fragments: [caption] }],
      },
    ]);
  });

  it('tables, with every cell of a row that is too long', () => {
    const cell = (name: string, ...nodes: unknown[]): Shape => ({ fragment: name, nodes: [p(...nodes)] });
    expect(read('| A | *B* |\n|:--|--|\n| `a\\|b` | c | d |')).toEqual([
      {
        type: 'table',
        data: {
          view: { type: 'grid', columns: ['c1', 'c2', 'c3'], hideHeader: false },
          definition: {
            c1: { id: 'c1', type: 'text', title: 'A', textAlignment: 'left' },
            c2: { id: 'c2', type: 'text', title: 'B', header: 'h2' },
            c3: { id: 'c3', type: 'text', title: '' },
          },
          records: { r1: { orderIndex: '000001', values: { c1: 'r1c1', c2: 'r1c2', c3: 'r1c3' } } },
        },
        fragments: [cell('h2', ['italic', 'B']), cell('r1c1', ['code', 'a|b']), cell('r1c2', 'c'), cell('r1c3', 'd')],
      },
    ]);
  });
});

describe('text', () => {
  it.each<[markdown: string, nodes: unknown[]]>([
    [
      '**a _b_** ~~c~~ `d`',
      [[['bold', 'a '], ['bold', 'italic', 'b'], ' ', ['strikethrough', 'c'], ' ', ['code', 'd']]],
    ],
    [
      '<kbd>a</kbd><sup>b</sup><sub>c</sub><b>d</b>',
      [
        [
          ['keyboard', 'a'],
          ['superscript', 'b'],
          ['subscript', 'c'],
          ['bold', 'd'],
        ],
      ],
    ],
    ['x *<b>y*</b>', [['x ', ['bold', 'italic', 'y']]]],
    ['a $$b^2$$', [['a '], { type: 'inline-math', data: { formula: 'b^2' } }]],
    [':smile: $5', [[':smile: $5']]],
    [
      '[a](/pages/p#b "t")',
      [{ type: 'link', data: { ref: { kind: 'anchor', page: 'p', anchor: 'b' }, title: 't' }, nodes: [['a']] }],
    ],
    ['[a][b]\n\n[b]: #c', [{ type: 'link', data: { ref: { kind: 'anchor', anchor: 'c' } }, nodes: [['a']] }]],
    ['https://a.b/c.', [{ type: 'link', data: { ref: url('https://a.b/c') }, nodes: [['https://a.b/c']] }, ['.']]],
    ['a ![b](c)', [['a '], { type: 'inline-image', data: { ref: url('c'), caption: 'b' } }]],
    ['a [b](b "mention")', [['a '], { type: 'mention', data: { ref: url('b') } }]],
    ['<i class="fa-star">:star:</i>', [{ type: 'icon', data: { icon: 'star' } }]],
    [
      '<a href="b" class="button primary">a</a>',
      [{ type: 'button', data: { label: 'a', kind: 'primary', ref: url('b') } }],
    ],
    [
      'a <u>b</u>',
      [['a '], { type: 'source', data: { source: '<u>' } }, ['b'], { type: 'source', data: { source: '</u>' } }],
    ],
  ])('%s', (markdown, nodes) => {
    expect(read(markdown)).toEqual([{ type: 'paragraph', nodes }]);
  });

  it('colours', () => {
    const marks = [{ object: 'mark', type: 'color', data: { text: 'red', background: 'default' } }];
    expect(toDocument('<mark style="color: red;">a</mark>').nodes).toMatchObject([
      { nodes: [{ leaves: [{ text: 'a', marks }] }] },
    ]);
  });

  it('footnotes hang on what first refers to them', () => {
    expect(read('a[^1] [b](#user-content-fn-2)[^2] [^1]\n\n[^1]: x\n\n[^2]: y\n\n[^3]: z')).toEqual([
      {
        type: 'paragraph',
        nodes: [
          ['a'],
          {
            type: 'annotation',
            data: { label: '1' },
            nodes: [[['superscript', '1']]],
            fragments: [{ fragment: 'annotation-body', type: 'annotation-body', nodes: [p('x')] }],
          },
          [' '],
          {
            type: 'annotation',
            data: { label: '2' },
            nodes: [['b']],
            fragments: [{ fragment: 'annotation-body', type: 'annotation-body', nodes: [p('y')] }],
          },
          [' '],
          { type: 'source', data: { source: '[^1]' } },
        ],
      },
      { type: 'code', data: { syntax: 'markdown', raw: true }, nodes: [{ type: 'code-line', nodes: [['[^3]: z']] }] },
    ]);
  });
});

describe('addresses', () => {
  it('go through the given functions', () => {
    const resolve = (address: string, kind: string): ContentRef | undefined =>
      address === './p.md'
        ? { kind: 'page', page: 'p' }
        : kind === 'image'
          ? { kind: 'file', file: address }
          : undefined;
    const document = toDocument('[a](./p.md) ![b](c.png) [d](e)', resolve);
    expect(JSON.stringify(document)).toContain('{"kind":"page","page":"p"}');
    expect(JSON.stringify(document)).toContain('{"kind":"file","file":"c.png"}');
    expect(toMarkdown(document, (ref) => `<${ref.kind}>`)).toBe(
      '[a](<\\<page\\>>) ![b](<\\<file\\>>) [d](<\\<url\\>>)\n',
    );
  });
});

describe('writing', () => {
  it.each<[name: string, from: string, to: string]>([
    ['keeps what needs no escape', 'a_b 2 * 3 < 4 & 5! x@ $5 C:\\dir [^', 'a_b 2 * 3 < 4 & 5! x@ $5 C:\\dir \\[^\n'],
    ['escapes what begins a line', '\\# a\n\n1\\. b\n\n\\- c\n\n\\{% x %}', '\\# a\n\n1\\. b\n\n\\- c\n\n\\{% x %}\n'],
    ['leaves asterisks that are none of emphasis', 'a**“b”**c', 'a\\*\\*“b”\\*\\*c\n'],
    ['writes as tags what asterisks cannot set', 'a<b>“b”</b>c', 'a<strong>“b”</strong>c\n'],
    ['alternates bullets', '- a\n\n* b', '- a\n\n* b\n'],
    ['keeps dividers apart from front matter', '***\n\na', '***\n\na\n'],
    [
      'keeps HTML',
      '<div class="x">\n  <b>a</b>\n</div>\n\n<!-- c -->',
      '<div class="x">\n  <b>a</b>\n</div>\n\n<!-- c -->\n',
    ],
    [
      'keeps tags without an end',
      '{% hint style="info" %}\n\na\n\n{% other %}',
      '{% hint style="info" %}\n\na\n\n{% other %}\n',
    ],
    ['keeps definitions that nothing uses', '[a]: /b "c"', '[a]: /b "c"\n'],
    ['keeps HTML that no one sees', '<a id="x"></a>text', '<a id="x"></a>text\n'],
  ])('%s', (_name, from, to) => {
    expect(write(from)).toBe(to);
    expect(write(to)).toBe(to);
  });

  it('spells blocks that Markdown has nothing for as JSON', () => {
    const markdown =
      '{% block %}\n```json\n{ "object": "block", "type": "integration", "data": { "integration": "i", "block": "b", "props": { "a": 1 } } }\n```\n{% endblock %}';
    const data = { integration: 'i', block: 'b', props: { a: 1 } };
    expect(read(markdown)).toEqual([{ type: 'integration', data }]);
    expect(read(write(markdown))).toEqual([{ type: 'integration', data }]);
    expect(read(markdown.replace('integration"', 'nothing"'))).toMatchObject([
      { type: 'code' },
      { type: 'code' },
      { type: 'code' },
    ]);
  });
});
