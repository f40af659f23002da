import fc from 'fast-check';
import { cases } from '../../test/support/cases.js';
import { readOutline } from './read-outline.js';
import { respell } from './respell.js';

/** Ways to write a link, in blocks of all kinds; `@` is where the address stands. */
const FORMS = [
  '[x](@)',
  '[x](<@>)',
  '[x](@ "title")',
  '![alt](@)',
  '[![alt](@)](@)',
  '> - [x](@) and **[y](@)**',
  '| a | b |\n| - | - |\n| [x](@) | ![y](@) |',
  '[ref] and [ref][]\n\n[ref]: @ "T"',
  '[two]: <@>',
  '# [x](@)',
  'a[^1]\n\n[^1]: [x](@)',
  '<img src="@">',
  "a ` b <A\n  class=c HREF='@'>x</a> and <a href=@>y</a>",
  '<p><img alt="one\ntwo > three" src="@"> <a href = "@" href="z">x</a>\n<area href=@></p>',
  '> <div>\n> <img\n>   src="@" data-dark-src=@></div>',
  '- a\n\n  1. <video src=@>\n     <source src="@" /></video>',
  '| a |\n| - |\n| <img src="@"> [x](@) |',
  '# [<img alt="x" src="@">](@)',
];
const OTHERS = [
  '`[x](y)`',
  '```\n[x](y)\n```',
  '`<a href="y">`',
  '<!-- <a href="y">\n<img src=y> -->',
  '<script>\nx = "<a href=\'y\'>"\n</script>',
  '<b title="<a href=y>" href="y">x</b>',
  '<div>\n<a href="y',
  'https://example.org/',
  '<https://example.org>',
  'a * b',
];

const written = fc.constantFrom('a', '../b.md#c', '/x/y', 'a%20b', '#here', './ü');
const block = fc.oneof(
  fc.tuple(fc.constantFrom(...FORMS), written).map(([form, url]) => form.replaceAll('@', url)),
  fc.constantFrom(...OTHERS),
);
const markdown = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 6 }), fc.constantFrom('\n\n', '\r\n\r\n'))
  .map(([blocks, end]) => blocks.join(end) + end);
/** New addresses, with all that could end one or mean something in Markdown. */
const address = fc
  .tuple(fc.constantFrom('p', '../q', '/r'), fc.string({ unit: 'grapheme', maxLength: 8 }))
  .map(([start, rest]) => start + rest.replace(/\p{Cs}/gu, ''));

describe('respell', () => {
  it('changes addresses, and nothing else', async () => {
    const property = fc.asyncProperty(
      markdown,
      fc.array(fc.option(address), { minLength: 1 }),
      async (text, spelled) => {
        const { links, ...rest } = await readOutline(text);
        // an absolute address may be the words that are shown as well, and is never spelled anew
        const wanted = new Map(
          links.map((link, index) => [
            link,
            isAbsolute(link.url) ? undefined : (spelled[index % spelled.length] ?? undefined),
          ]),
        );
        const changed = respell(text, links, (link) => wanted.get(link));
        const after = await readOutline(changed);
        expect(after.links.map(({ url }) => decoded(url))).toEqual(
          links.map((link) => decoded(wanted.get(link) ?? link.url)),
        );
        expect(outside(changed, after.links)).toEqual(outside(text, links));
        const { sections, headings } = after;
        expect({ sections, headings }).toEqual({ sections: rest.sections, headings: rest.headings });
      },
    );
    await fc.assert(property, { numRuns: cases(200, 5000) });
  });

  it('gives the text back where nothing is spelled anew', async () => {
    await fc.assert(
      fc.asyncProperty(markdown, async (text) => {
        const { links } = await readOutline(text);
        expect(respell(text, links, () => undefined)).toBe(text);
      }),
      { numRuns: cases(50, 500) },
    );
  });
});

const isAbsolute = (url: string): boolean => url.startsWith('https:');

/** What stands between the addresses. */
function outside(text: string, links: readonly { start: number; end: number }[]): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of [...links].sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(from, start));
    from = end;
  }
  return [...pieces, text.slice(from)];
}

/** An address as what it means: percent-encoded or not. */
function decoded(url: string): string {
  return url.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
