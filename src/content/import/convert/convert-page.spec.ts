import { ConversionError } from '../../conversion/conversion-error.js';
import { type ConvertedPage, convertPage } from './convert-page.js';
import { fillMarks } from './marks.js';

const SECRET = 'Secret1';
const WORDS = '<p>Words that are there to be read, and enough of them to be what this page is about.</p>';
const convert = (html: string, address = 'https://x.org/docs/page'): ConvertedPage =>
  convertPage({ bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', address, secret: SECRET });
/** The Markdown of a page with this content, its marks filled with what they stand for. */
const markdownOf = (content: string): string => {
  const { markdown, addresses } = convert(`<main><h1>Title</h1>${WORDS}${content}</main>`);
  const filled = fillMarks(markdown, { secret: SECRET, addresses }, (address) => `<${address}>`);
  const [first, ...rest] = filled.trimEnd().split('\n\n');
  expect(first).toMatch(/^Words that are there/);
  return rest.join('\n\n');
};

describe('convertPage', () => {
  it.each([
    ['emphasis', '<p>a <b>b</b> <i>c</i> <del>d</del></p>', 'a **b** *c* ~~d~~'],
    ['headings without their anchors', '<h2>Part <a href="#part">¶</a></h2>', '## Part'],
    ['code with its language', '<pre><code class="hl language-js">a &lt; b\n</code></pre>', '```js\na < b\n```'],
    ['lists', '<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>', '- a\n  1. b\n- c'],
    [
      'tables',
      '<table><tr><th>A</th><th>B</th></tr><tr><td>x|y</td><td><p>1</p><pre>2\n3</pre></td></tr></table>',
      '| A | B |\n| - | - |\n| x\\|y | 1 `2 3` |',
    ],
    [
      'text that looks like Markdown',
      '<p># a *b* [c](d) &lt;script&gt; {% hint %} $$x$$</p>',
      '\\# a \\*b\\* \\[c]\\(d) \\<script> \\{% hint %} \\$$x\\$$',
    ],
    ['links of the site', '<p><a href="../a?b=c#d" title="t">x</a></p>', '[x](<https://x.org/a?b=c#d> "t")'],
    [
      'links to elsewhere',
      '<p><a href="//y.org/a(b)">x</a> <a href="mailto:a@y.org">m</a></p>',
      '[x](https://y.org/a\\(b\\)) [m](mailto:a@y.org)',
    ],
    [
      'links that are not safe',
      '<p>a <a href=" java&#10;script:alert(1)">b</a> <a href="data:text/html,x">c</a> <a href="https://u:p@y.org">d</a></p>',
      'a b c d',
    ],
    [
      'images',
      '<p><img src="a.png" alt="A"> <img src="late.gif" data-src="b.png"> <img src="javascript:x" alt="no"></p>',
      '![A](<https://x.org/docs/a.png>) ![](<https://x.org/docs/b.png>)',
    ],
    [
      'nothing that runs',
      '<script>x</script><style>y</style><iframe src="z" title="t"></iframe><p onclick="x">a<!-- b --></p>',
      'a',
    ],
  ])('reads %s', (_what, content, markdown) => {
    expect(markdownOf(content)).toBe(markdown);
  });

  it('tells what a page says of itself and where it leads', () => {
    const page = convert(
      `<head><title>Install | Docs</title><base href="/other/"><link rel="canonical" href="/docs/install"></head><body>
      <nav><a href="a#x">a</a><a href="a">again</a><a href="ftp://x">f</a></nav><main><h1 id="top">Install it</h1>${WORDS}
      <a id="old"></a><h2 id="new">All &amp; more</h2>${WORDS}<p id="deep">x</p><section id="sec"><h2>All &amp; more</h2>${WORDS}</section></main></body>`,
    );
    expect(page).toMatchObject({
      title: 'Install it',
      canonical: 'https://x.org/docs/install',
      links: ['https://x.org/other/a'],
      images: [],
    });
    expect(page.anchors).toMatchObject({ old: 'all--more', new: 'all--more', sec: 'all--more-1' });
    expect(Object.keys(page.anchors)).not.toContain('deep');
  });

  it('takes the title of the head when there are several headings, and all of a page that is no article', () => {
    expect(convert('<title>Head</title><h1>a</h1><h1>b</h1>').title).toBe('Head');
    const list = convert('<ul><li><a href="/a">A</a></li></ul>');
    expect(list.markdown).toBe(`- [A](mark:${SECRET}-0-)\n`);
    expect(convert('')).toMatchObject({ markdown: '', links: [] });
  });

  it('is not made to write what it did not read', () => {
    const page = convert(`<main>${WORDS}<p>mark:${SECRET}-0- mark:other-0-</p></main>`);
    expect(fillMarks(page.markdown, { secret: 'another', addresses: [] }, () => 'X')).toBe(page.markdown);
    expect(markdownOf(`<p><a href="/__proto__#$&amp;">$&amp;</a></p>`)).toBe('[$&](<https://x.org/__proto__#$&>)');
  });

  it('keeps what is nested or spanned beyond measure within bounds', () => {
    const deep = markdownOf(`${'<div><em>'.repeat(150)}bottom${'</em></div>'.repeat(150)}`);
    expect(deep).toContain('bottom');
    const wide = markdownOf('<table><tr><td colspan="1000000" rowspan="65534">a</td><td>b</td></tr></table>');
    expect(wide.length).toBeLessThan(100);
    expect(() => convert('<br>'.repeat(100_001))).toThrow(ConversionError);
    expect(() => convert(' '.repeat(4 * 1024 * 1024 + 1))).toThrow('larger than 4 MiB');
  });
});
