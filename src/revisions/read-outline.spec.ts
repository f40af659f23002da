import fc from 'fast-check';
import { ContentError } from './content-error.js';
import { decodeEntities } from './document/markup.js';
import { splitMarkdown } from './markdown-parts.js';
import { MAX_MARKDOWN, readOutline } from './read-outline.js';
import { measure } from '../../test/support/spent.js';

const links = async (markdown: string): Promise<string[][]> =>
  (await readOutline(markdown)).links.map(({ kind, url, start, end, text }) => [
    kind,
    url,
    markdown.slice(start, end),
    text,
  ]);

describe('readOutline', () => {
  it('finds headings with the anchors that GitHub gives them', async () => {
    const { headings } = await readOutline(
      '# A *b* `c`\n\n## Twice\n\nTwice\n-----\n\n#### Ünï & co. 😀\n\n> # Quoted\n\n# \n',
    );
    expect(headings).toEqual([
      { slug: 'a-b-c', text: 'A b c', depth: 1 },
      { slug: 'twice', text: 'Twice', depth: 2 },
      { slug: 'twice-1', text: 'Twice', depth: 2 },
      { slug: 'ünï--co-', text: 'Ünï & co. 😀', depth: 4 },
      { slug: 'quoted', text: 'Quoted', depth: 1 },
      { slug: '', text: '', depth: 1 },
    ]);
  });

  it('takes the title from the front matter, else from the heading it begins with', async () => {
    expect(await readOutline('---\ntitle: Given\ndescription: D\n---\n# Own\n')).toMatchObject({
      title: 'Given',
      description: 'D',
    });
    expect(await readOutline('---\nicon: x\n---\n\n## Own *words*\n')).toMatchObject({ title: 'Own words' });
    expect(await readOutline('Text\n\n# Later\n')).not.toHaveProperty('title');
    expect(await readOutline('')).toEqual({ headings: [], links: [], sections: [] });
  });

  it('finds links, images and definitions, and where their addresses stand', async () => {
    const markdown = [
      '---',
      'title: x',
      '---',
      '# [In a heading](./a.md "title")',
      '',
      '[**text** with `code`](<b c.md> (t)) ![alt](../img.png) [![inner](i.png)](outer.md)',
      '',
      '- [escaped](a\\)b&amp;c) [empty]() <https://auto.test/x> https://bare.test/y www.bare.test',
      '',
      '[ref][Label] and [Label]',
      '',
      '[label]: ./defined.md "T"',
      '`[no](code.md)`',
    ].join('\n');
    expect(await links(markdown)).toEqual([
      ['link', './a.md', './a.md', 'In a heading'],
      ['link', 'b c.md', 'b c.md', 'text with code'],
      ['image', '../img.png', '../img.png', 'alt'],
      ['image', 'i.png', 'i.png', 'inner'],
      ['link', 'outer.md', 'outer.md', 'inner'],
      ['link', 'a)b&c', 'a\\)b&amp;c', 'escaped'],
      ['link', 'https://auto.test/x', 'https://auto.test/x', 'https://auto.test/x'],
      ['link', 'https://bare.test/y', 'https://bare.test/y', 'https://bare.test/y'],
      ['link', 'http://www.bare.test', 'www.bare.test', 'www.bare.test'],
      ['definition', './defined.md', './defined.md', 'label'],
    ]);
  });

  it('finds addresses in HTML, and where they stand', async () => {
    const markdown = [
      'See <a href="b.md?x=1&amp;y=2">b</a>, <A HREF=c.md>c</A> and <img alt="An &quot;image&quot;" src=\'i.png\'>.',
      '',
      '<figure>',
      '<img alt="One, two',
      'three" class=wide src=" img/trpl04-01.svg " data-dark-src="dark.svg">',
      '<video src="v.mp4"><source src="w.mp4"></video><area href="area.md"/>',
      '</figure>',
      '',
      '## Under',
      '',
      '> - <div',
      '>   id="box"><a',
      '>   href="in-a-list.md">x</a>',
      '>   </div>',
      '',
      '| a |',
      '| - |',
      '| <img src="cell.png" src="twice.png"> [x](y.md) |',
      '',
      '<!-- <img src="comment.png"> --> <a href="">none</a> <a href="over',
      'lines.md">none</a> <b href="b">none</b> <a title="> href=\'x\'">none</a>',
      '',
      '<script>',
      'write("<img src=\'script.png\'>")',
      '</script>',
      '',
      '<div><a href="unclosed.md>none</a></div>',
    ].join('\n');
    const { links: found, anchors } = await readOutline(markdown);
    expect(found.map(({ kind, url, start, end, text }) => [kind, url, markdown.slice(start, end), text])).toEqual([
      ['link', 'b.md?x=1&y=2', 'b.md?x=1&amp;y=2', ''],
      ['link', 'c.md', 'c.md', ''],
      ['image', 'i.png', 'i.png', 'An "image"'],
      ['image', 'img/trpl04-01.svg', 'img/trpl04-01.svg', 'One, two\nthree'],
      ['image', 'dark.svg', 'dark.svg', 'One, two\nthree'],
      ['image', 'v.mp4', 'v.mp4', ''],
      ['image', 'w.mp4', 'w.mp4', ''],
      ['link', 'area.md', 'area.md', ''],
      ['link', 'in-a-list.md', 'in-a-list.md', ''],
      ['image', 'cell.png', 'cell.png', ''],
      ['link', 'y.md', 'y.md', 'x'],
    ]);
    expect(found.map(({ under, inHtml }) => [under, inHtml]).slice(7)).toEqual([
      [undefined, 'quoted'],
      ['under', 'quoted'],
      ['under', 'quoted'],
      ['under', undefined],
    ]);
    expect(anchors).toEqual(['box']);
  });

  it('cuts sections at headings of the first three levels', async () => {
    const { sections } = await readOutline(
      'Before\n\n# One\n\nText **bold**\nmore\n\n- item\n- [link](x)\n\n```js\ncode()\n```\n\n#### Four\n\n| a | b |\n|---|---|\n| c | d |\n\n### Three\n\n## Empty\n\n<b>html</b> ![alt](x)\n',
    );
    expect(sections).toEqual([
      { anchor: '', title: '', depth: 0, text: 'Before' },
      { anchor: 'one', title: 'One', depth: 1, text: 'Text bold\nmore\nitem\nlink\ncode()\nFour\na b \nc d' },
      { anchor: 'three', title: 'Three', depth: 3, text: '' },
      { anchor: 'empty', title: 'Empty', depth: 2, text: 'html   alt' },
    ]);
  });

  it('reads long texts in parts as it would in one', async () => {
    const chapter = (index: number): string =>
      [
        `## [Chapter ${index}][ref]`,
        '',
        `Text ${index} with [a link](./p${index}.md), a note[^n] and [ref].`,
        '',
        '```sh',
        '# no heading',
        '',
        '- no list [no](link.md)',
        '```',
        '',
        '<!--',
        '# no heading either',
        '-->',
        '',
        '- one',
        `- two [x](i${index}.md)`,
        '',
        '  # Inside',
        '',
      ].join('\n');
    const head = '# Title\n\n[ref]: ./target.md\n[^n]: A note.\n\n';
    const short = await readOutline(head + chapter(0) + chapter(1));
    const long = head + Array.from({ length: 400 }, (_, index) => chapter(index)).join('');
    expect(splitMarkdown(long).length).toBeGreaterThan(5);
    const outline = await readOutline(long);
    expect(outline.headings.slice(0, short.headings.length)).toEqual(short.headings);
    expect(outline.headings).toHaveLength(1 + 2 * 400);
    expect(outline.headings.at(-2)).toEqual({ slug: 'chapter-399', text: 'Chapter 399', depth: 2 });
    expect(outline.sections.slice(0, 3)).toEqual(short.sections.slice(0, 3));
    expect(outline.links).toHaveLength(1 + 2 * 400);
    expect(outline.links.every(({ url, start, end }) => long.slice(start, end) === url)).toBe(true);
  });

  it('takes what nobody wrote by hand for plain text', async () => {
    const picture = `![x](data:image/png;base64,${'A'.repeat(100_000)})`;
    const log = `\`\`\`\n${'[a](b) # c\n'.repeat(5000)}\`\`\``;
    const { headings, sections } = await readOutline(`# One\n\n${picture}\n\n## Two\n\n${log}\n\n## Three\n`);
    expect(headings.map(({ slug }) => slug)).toEqual(['one', 'two', 'three']);
    expect(sections[0]?.text.length).toBeLessThan(100);
    expect(sections[1]?.text).toContain('[a](b) # c');
  });

  it.each([
    ['limit', 'a'.repeat(MAX_MARKDOWN + 1)],
    ['limit', 'é'.repeat(MAX_MARKDOWN / 2 + 1)],
    ['limit', '# a\n'.repeat(10_001)],
    ['complex', '>'.repeat(10_000)],
    ['complex', `${'- '.repeat(10_000)}a`],
    ['complex', '1. '.repeat(5000)],
    ['complex', '['.repeat(50_000)],
    ['complex', '![](b) '.repeat(8000)],
    ['complex', '*a '.repeat(10_000)],
    ['complex', '*a\n'.repeat(5000)],
    ['complex', `a|b\n-|-|-\n${'*a|\n'.repeat(4001)}`],
    ['complex', `${' '.repeat(400)}- a`],
  ])('refuses (%s) what would take too long', async (reason, markdown) => {
    const spent = measure();
    await expect(readOutline(markdown)).rejects.toMatchObject({ reason, property: 'document' });
    expect(spent()).toBeLessThan(30);
  });

  it('takes a large table with much markup in it', async () => {
    const table = `| a | b |\n| --- | :-: |\n${'| **x** | [y](z) |\n'.repeat(2500)}`;
    expect((await readOutline(`# Table\n\n${table}`)).links).toHaveLength(2500);
  });

  it('lets other work go on while it reads', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await readOutline('Some *text* to read.\n\n'.repeat(8000));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('answers or refuses whatever it is given, with addresses where it says', async () => {
    const pieces = [
      '#',
      '# ',
      '\n',
      '\n\n',
      '*',
      '**',
      '_',
      '`',
      '```\n',
      '[',
      ']',
      '](',
      ')',
      '![',
      '<',
      '>',
      '> ',
      '- ',
      '1. ',
      '|',
      '|-|\n',
      '\t',
      '  ',
      '&amp;',
      '\\',
      '[a]: b\n',
      '[^1]',
      '~~',
      'https://x.test',
      'é',
      '😀',
      '<!--',
      '-->',
      '---\n',
      'word',
      '<a href="',
      '<img src=x',
      '"',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 120 }), async (parts) => {
        const markdown = parts.join('');
        const outline = await readOutline(markdown).catch((error: unknown) => {
          if (!(error instanceof ContentError)) throw error;
          return null;
        });
        for (const { start, end, url, inHtml } of outline?.links ?? []) {
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(markdown.length);
          if (inHtml) expect(decodeEntities(markdown.slice(start, end))).toBe(url);
        }
        const slugs = outline?.headings.map(({ slug }) => slug) ?? [];
        expect(new Set(slugs).size).toBe(slugs.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('splitMarkdown', () => {
  it('covers the text without gaps, wherever it cuts', () => {
    const line = fc.constantFrom(
      '# a',
      '- b',
      'text '.repeat(60),
      '```',
      '~~~ x',
      '',
      '<!-- c',
      '-->',
      '> q',
      '  indented',
      '<div>',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 600 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const markdown = lines.join(end);
        const parts = splitMarkdown(markdown);
        expect(parts.map((part) => markdown.slice(part.start, part.end)).join('')).toBe(markdown);
      }),
      { numRuns: 100 },
    );
  });
});
