import { readPdf } from '../../../../test/support/pdf.js';
import type { Desk, Target } from './job.js';
import { layOut } from './lay-out.js';
import { measure } from '../../../../test/support/spent.js';

/** Longest that a hostile text of these sizes may take, ms, on a machine that is busy. */
const LONG = 60;

/** Lays out one page with `markdown`; answers the PDF, its printed pages, and the texts that were asked for. */
async function print(markdown: string, reusable: Record<string, string> = {}) {
  const parts: Uint8Array[] = [];
  let asked = 0;
  const desk: Desk = {
    text: (of) => {
      asked += 1;
      return Promise.resolve('page' in of ? markdown : reusable[of.reusableContent]);
    },
    targets: (_of, refs) =>
      Promise.resolve(
        refs.map((ref): Target => {
          if (ref.kind === 'reusable-content') return { kind: 'reusable-content', id: ref.reusableContent };
          if (ref.kind !== 'url') return { kind: 'other' };
          return { kind: 'other', url: ref.url };
        }),
      ),
    image: () => Promise.resolve(undefined),
    write: (bytes) => Promise.resolve(void parts.push(bytes)),
  };
  const chapters = [{ id: 'page', title: 'A <title> & more', isLink: false, chapters: [] }];
  const plan = { title: 'Book', revision: 'r', date: '2026-01-02T03:04:05.000Z', front: false, chapters };
  const { printed } = await layOut(plan, desk);
  return { printed, bytes: Buffer.concat(parts), asked };
}

const read = async (markdown: string, reusable?: Record<string, string>) =>
  readPdf((await print(markdown, reusable)).bytes);
const textOf = async (markdown: string, reusable?: Record<string, string>) =>
  (await read(markdown, reusable)).pages.join(' ');

describe('the layout', () => {
  it('shows each kind of block', async () => {
    const text = await textOf(
      [
        '{% hint style="warning" %}\nTake care.\n{% endhint %}',
        '{% tabs %}\n{% tab title="First tab" %}\nIn the first.\n{% endtab %}\n{% tab title="Second tab" %}\nIn the second.\n{% endtab %}\n{% endtabs %}',
        '<details>\n\n<summary>Open me</summary>\n\nInside.\n\n</details>',
        '$$\nx^2 + y\n$$',
        '<div class="raw">kept <b>as it is</b></div>',
        '{% embed url="https://example.org/video" %}',
        '~~gone~~ and ***both*** and `code`',
        '***',
      ].join('\n\n'),
    );
    const order = ['A <title> & more', 'Take care.', 'First tab', 'In the first.', 'Second tab', 'In the second.'];
    const more = [
      'Open me',
      'Inside.',
      'x^2 + y',
      '<div class="raw">kept',
      'https://example.org/video',
      'gone and both',
    ];
    const places = [...order, ...more].map((words) => text.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('stands in for characters that no font has, and leaves out what is not seen', async () => {
    const text = await textOf('a\u200bb c\ufe0f 日本 é e\u0301 שלום');
    expect(text).toContain('ab c □□ é');
    expect(text).toMatch(/שלום|םולש/);
  });

  it('leads only to the web and to mail', async () => {
    const urls = [
      'https://a.org/ü',
      'mailto:a@b.org',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '//x.org',
      './other.md',
    ];
    const { links } = await read(urls.map((url) => `[x](${url})`).join(' '));
    expect(links.flat()).toEqual([{ url: 'https://a.org/%C3%BC' }, { url: 'mailto:a@b.org' }]);
  });

  it('does not say a title twice that the text begins with', async () => {
    expect((await textOf('# A \\<title> & more\n\nText.')).match(/A <title> & more/g)).toHaveLength(1);
  });

  it('repeats the head of a table on each page', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => `| row ${String(n)} | x |`).join('\n');
    const { pages } = await read(`| Head one | Head two |\n| --- | --- |\n${rows}`);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(page).toContain('Head one');
    const found = pages.join(' ').match(/row \d+/g);
    expect(found).toEqual(Array.from({ length: 120 }, (_, n) => `row ${String(n)}`));
  });

  it('cuts words and lines that are wider than the page, and loses nothing', async () => {
    const word = 'abcdefghij'.repeat(100);
    const text = await textOf(`${word}\n\n\`\`\`\n${word}\n\`\`\``);
    expect(text.replace(/\s/g, '').split(word)).toHaveLength(3);
  });

  it('prints reusable contents in their place, and ends with one that holds itself', async () => {
    const text = await textOf('{% include "/reusable-contents/a" %}', {
      a: 'Shared words.\n\n{% include "/reusable-contents/a" %}',
    });
    expect(text.match(/Shared words\./g)).toHaveLength(3);
  });

  it('reads reusable contents a few times at the most, however often they hold each other', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const all = ids.map((id) => `{% include "/reusable-contents/${id}" %}`).join('\n\n');
    const { asked, bytes } = await print(all, Object.fromEntries(ids.map((id) => [id, `${id}.\n\n${all}`])));
    expect(asked).toBeLessThanOrEqual(1 + 3 * ids.length);
    // each of them is printed wherever it stands, three deep
    expect((await readPdf(bytes)).pages.join(' ').match(/[a-f]\./g)).toHaveLength(6 + 36 + 216);
  });

  const many = (part: string, count: number): string => part.repeat(count);
  it.each([
    ['deep quotes', `${many('> ', 60)}deep`],
    ['quotes that are too deep', `${many('>', 5000)}deep`],
    ['deep lists', Array.from({ length: 60 }, (_, n) => `${many('  ', n)}- item`).join('\n')],
    ['a very long word', many('x', 100_000)],
    ['a very long word of another script', many('ش', 10_000)],
    ['marks on one letter', `a${many('\u0301', 10_000)}`],
    ['a very long line of code', `\`\`\`\n${many('x y', 30_000)}\n\`\`\``],
    ['a line of blanks', `\`\`\`\n${many(' ', 100_000)}x\n\`\`\``],
    ['a table with many rows', `| a | b |\n| - | - |\n${many('| x | y |\n', 2000)}`],
    [
      'a table with many columns',
      `|${many(' a |', 500)}\n|${many(' - |', 500)}\n${many(`|${many(' x |', 500)}\n`, 5)}`,
    ],
    ['a table with a long cell', `| a | b |\n| - | - |\n| ${many('word ', 10_000)} | y |`],
    ['thousands of images', many('![a](b.png) ', 3000)],
    ['thousands of links', many('[a](https://a.org) ', 3000)],
    ['many short lines', many('x\n\n', 5000)],
    ['many headings', many('# x\n\n', 1000)],
    ['marks that never end', many('**a ', 10_000)],
    ['a number that is long', `999999999. a\n${many('1. b\n', 1000)}`],
  ])('ends in time with %s', async (_what, markdown) => {
    const spent = measure();
    const { printed, bytes } = await print(markdown);
    expect(printed).toBeGreaterThan(0);
    expect(bytes.subarray(-6).toString()).toBe('%%EOF\n');
    expect(spent()).toBeLessThan(LONG);
  });
});
