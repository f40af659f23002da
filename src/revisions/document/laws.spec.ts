import { cases } from '../../../test/support/cases.js';
import fc from 'fast-check';
import { documents } from '../../../test/support/arbitrary-documents.js';
import { SIGNS, sorted } from '../../../test/support/arbitrary-texts.js';
import { checkDocument } from './check.js';
import { toDocument, toMarkdown } from './convert.js';

function withoutKeys(value: unknown): unknown {
  return JSON.parse(JSON.stringify(sorted(value), (key, member: unknown) => (key === 'key' ? undefined : member)));
}

/** What Markdown is made of, for texts that nobody would write. */
const PIECES = [
  ...SIGNS,
  ...'=== *** a|b [a] [a][b] [x](y) ![i](j) <http://a.b> www.a.b http://c.d e@f.g &#x20; </div>'.split(' '),
  ...'</span> <details> </details> <summary> </figure> <p> <kbd> </kbd> </a> </mark> <pre> </pre> <script>'.split(' '),
  '\ufeff',
  'b c',
  '    ',
  '\n',
  '\n',
  '\n\n',
  '\n\n',
  '\r\n',
  '\r',
  '\\\n',
  '```js\n',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '2) ',
  '> ',
  '# ',
  '## ',
  '\n-|-\n',
  '[^1]: ',
  '[a]: /u',
  '[x](y "t")',
  '[ ] ',
  '[x] ',
  '[!NOTE]\n',
  '<span class="x">',
  '<figure><img src="x">',
  '<img src="y">',
  '<p align="center">',
  '<a href="u">',
  '<mark style="color:red">',
  '<i class="fa-x">:x:</i>',
  '{% hint style="info" %}',
  '{% endhint %}',
  '{% tabs %}',
  '{% tab title="A" %}',
  '{% endtab %}',
  '{% endtabs %}',
  '{% embed url="u" %}',
  '{% code title="t" %}',
  '{% endcode %}',
  '{% content-ref url="u" %}',
  '{% endcontent-ref %}',
  '{% unknown %}',
  '{% block %}',
  '{% endblock %}',
];

describe('documents of every kind', () => {
  it('come back from Markdown as they were, but for their keys', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(withoutKeys(toDocument(toMarkdown(document)))).toEqual(withoutKeys(document));
      }),
      { numRuns: cases(50, 2000) },
    );
  });

  it('pass the check unchanged', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(sorted(checkDocument(JSON.parse(JSON.stringify(document))))).toEqual(sorted(document));
      }),
      { numRuns: cases(25, 2000) },
    );
  });
});

describe('Markdown of every kind', () => {
  const markdown = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((parts) => parts.join(''));

  it('settles after one pass', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const settled = toMarkdown(toDocument(source));
        expect(toMarkdown(toDocument(settled))).toBe(settled);
      }),
      { numRuns: cases(400, 2000) },
    );
  });

  it('gives documents that pass the check, the same each time', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const document = toDocument(source);
        expect(toDocument(source)).toEqual(document);
        expect(sorted(checkDocument(JSON.parse(JSON.stringify(document))))).toEqual(sorted(document));
      }),
      { numRuns: cases(100, 2000) },
    );
  });

  it('loses no word', () => {
    const pieces = fc.array(fc.tuple(fc.constantFrom(...PIECES), fc.boolean()), { maxLength: 16 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const words: string[] = [];
        // what a page begins with could be front matter, which is no part of the document
        const source = parts.map(([piece, isFollowed], index) => {
          if (!isFollowed) return piece;
          words.push(`w${index}x`);
          return `${piece}w${index}x`;
        });
        const document = JSON.stringify(toDocument(`z${source.join('')}`));
        expect(words.filter((word) => !document.includes(word))).toEqual([]);
      }),
      { numRuns: cases(400, 2000) },
    );
  });
});
