import fc from 'fast-check';
import type { RootContent } from 'mdast';
import { toDocument, toMarkdown } from './convert.js';
import { Budget } from './meter.js';
import { parseMarkdown } from './parse.js';
import { parsePieces } from './pieces.js';

const withoutPlaces = (nodes: readonly RootContent[]): unknown =>
  JSON.parse(JSON.stringify(nodes, (name, value: unknown) => (name === 'position' ? undefined : value)));
const LONG = 'word '.repeat(900);
const BLOCKS = [
  ...[
    LONG,
    LONG,
    `# ${LONG}`,
    'Text with [a], [b][c] and a note[^n].',
    '# Heading',
    '- item\n\n  more',
    '> quote\n> more',
  ],
  ...[
    '```\ncode\n```',
    '```\n\n# no heading\n\nText',
    '~~~~',
    '<!-- open',
    '-->',
    '<pre>',
    '</pre>',
    '<div>\n\nText',
    '$$\na\n',
    '$$',
  ],
  ...[
    '[a]: /one',
    '[c]: /two "t"',
    '[^n]: Note\n\n    more',
    '{% hint style="info" %}',
    '{% endhint %}',
    '- ```\n\nText',
    '    indented\n\n    more',
  ],
];
const page = fc
  .array(fc.constantFrom(...BLOCKS), { minLength: 30, maxLength: 60 })
  .map((blocks) => blocks.join('\n\n'));

describe('parsePieces', () => {
  it('reads a long page as if it were parsed at once', () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const pieces = parsePieces(markdown, new Budget());
        const whole = parseMarkdown(markdown, new Budget());
        expect(withoutPlaces(pieces.flatMap(({ tree }) => tree.children))).toEqual(withoutPlaces(whole.children));
      }),
      { numRuns: 25 },
    );
  });

  it('cuts long pages only', () => {
    const text = `${LONG}\n\n`;
    expect(parsePieces(text, new Budget())).toHaveLength(1);
    expect(parsePieces(text.repeat(16), new Budget()).length).toBeGreaterThan(1);
  });

  it('lets blocks, links and footnotes span what is cut', () => {
    const filler = `${LONG}\n\n`.repeat(12);
    const markdown = `{% hint style="info" %}\n${filler}[a][b] and[^n]\n\n> \\[!NOTE]\n> c\n\n${filler}{% endhint %}\n\n${filler}[b]: /pages/p\n\n[^n]: note\n`;
    const [hint, ...rest] = toDocument(markdown).nodes;
    expect(hint).toMatchObject({ type: 'hint', data: { style: 'info' } });
    expect(JSON.stringify(hint)).toContain('{"kind":"page","page":"p"}');
    expect(JSON.stringify(hint)).toContain('annotation-body');
    expect(JSON.stringify(hint)).toContain('"type":"blockquote"');
    expect(rest.every(({ type }) => type === 'paragraph')).toBe(true);
    const settled = toMarkdown(toDocument(markdown));
    expect(toMarkdown(toDocument(settled))).toBe(settled);
  });
});
