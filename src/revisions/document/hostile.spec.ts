import { cases } from '../../../test/support/cases.js';
import { toDocument, toMarkdown } from './convert.js';
import { DocumentError } from './document-error.js';
import { measure } from '../../../test/support/spent.js';

/** As long as a text may be; the quick run takes a part of it. */
const SIZE = cases(32, 2048) * 1024;
const SECONDS = cases(10, 60);
const fill = (part: string, size = SIZE): string => part.repeat(Math.ceil(size / part.length));
const staircase = Array.from({ length: cases(700, 1450) }, (_, level) => `${'  '.repeat(level)}- a\n`).join('');
const growing = (mark: string): string =>
  Array.from({ length: cases(500, 1000) }, (_, size) => `${mark.repeat(size + 1)}a`).join('');

describe('hostile Markdown', () => {
  it.each<[name: string, markdown: string]>([
    ['quotes', fill('>')],
    ['lists on one line', fill('- a\n- ', 10_000) + fill('1. ')],
    ['lists in lists', staircase],
    ['quotes on every line', fill(`${'> '.repeat(40)}a\n`)],
    ['brackets', fill('[')],
    ['brackets that close', fill('[', SIZE / 2) + fill(']', SIZE / 2)],
    ['links that do not end', fill('[a](b (', 50_000) + fill('x')],
    ['definitions that do not end', fill('[a]: b (\n', SIZE / 4)],
    ['emphasis', fill('*a ', SIZE / 2) + fill(' a*', SIZE / 2)],
    ['emphasis in emphasis', fill('*a _b ', 40_000) + fill('_ *', 20_000)],
    ['code of every length', growing('`')],
    ['formulas of every length', growing('$$')],
    ['comments that do not end', `x${fill('<!--')}`],
    ['tags of HTML', fill('<u>', SIZE / 2) + fill('</u>', SIZE / 2)],
    ['block tags', fill('{% tabs %}')],
    ['block tags in each other', fill('{% tabs %}\nx\n', 500) + fill('{% endtabs %}\n', 500)],
    ['blocks that open', fill('<details>')],
    ['captions', fill('<p>x</p>\n\n')],
    ['addresses', fill('www.a.b ')],
    ['escapes', fill('\\')],
    ['cells', fill('|a')],
    ['paragraphs', fill('a\n\n')],
    ['lines', fill('a\n')],
    ['white space', `a${fill(' ')}b`],
    ['JSON', `{% block %}\n\`\`\`json\n${fill('[')}\n\`\`\`\n{% endblock %}`],
    ['footnotes in each other', '[^1]: '.repeat(40)],
    ['footnotes in each other, as deep as may be', `${'[^1]: '.repeat(4)}${fill('a *b* ', 16 * 1024)}`],
    ['footnotes in each other, deeper than may be', fill('[^1]: ', 16 * 1024)],
    [
      'footnotes in each other, by lines',
      Array.from({ length: 40 }, (_, n) => `${'    '.repeat(n)}[^${n}]: a\n\n`).join(''),
    ],
    ['footnotes that name each other', fill('[^a]: [^b]\n[^b]: [^a]\n', cases(10_000, 40_000))],
  ])('%s: read or refused in time', (_name, markdown) => {
    const spent = measure();
    try {
      toMarkdown(toDocument(markdown));
    } catch (error) {
      expect(error).toBeInstanceOf(DocumentError);
    }
    expect(spent()).toBeLessThan(SECONDS);
  });

  it('reads a long page that someone might have written', () => {
    const section = `## A heading\n\n${'The quick *brown* fox `jumps` over [the](/pages/lazy) dog. '.repeat(12)}\n\n- one\n- two\n\n\`\`\`js\nlet a;\n\`\`\`\n\n`;
    const document = toDocument(fill(section, cases(64, 512) * 1024));
    expect(document.nodes.length).toBeGreaterThan(cases(250, 2000));
  });
});

describe('hostile text', () => {
  it('keeps its words where a tag has no end', () => {
    const markdown = '{% tabs %}\n{% tab title="A" %}\none\n{% endhint %}\n<details>\n\n<summary>two\n\nthree';
    expect(toMarkdown(toDocument(markdown))).toMatch(/one[^]*two[^]*three/);
  });

  it('does not take members of prototypes for tags, attributes or languages', () => {
    const markdown =
      '{% constructor %}\n\n{% hint __proto__="a" style="toString" %}\na\n{% endhint %}\n\n```__proto__\na\n```\n';
    expect(toMarkdown(toDocument(markdown))).toContain('```__proto__');
    expect(toDocument('> [!constructor]\n> a').nodes).toMatchObject([{ type: 'blockquote' }]);
  });
});
