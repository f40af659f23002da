import { toDocument, toMarkdown } from '../../revisions/index.js';
import { BatchRefs } from './batch-refs.js';

const PAGE = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;

describe('the names of a batch', () => {
  const refs = new BatchRefs();
  const intro = refs.page('intro');
  const odd = refs.page('a (b) & c');
  const nested = refs.page('guide/start');
  refs.file('logo.png', 'f1');
  refs.file('intro', 'f2');
  const spell = (markdown: string) => refs.spell({ markdown });

  it('get ids, whether they are named or not', () => {
    expect([intro, odd, nested, refs.page(undefined)]).toEqual([PAGE, PAGE, PAGE, PAGE]);
    expect([...refs.pageNames()]).toEqual(['intro', 'a (b) & c', 'guide/start']);
  });

  it.each([
    ['[a](./intro.md)', `[a](/pages/${intro})`],
    ['[a](./intro.md#part-two "Title")', `[a](/pages/${intro}#part-two "Title")`],
    ['[a](<./a (b) & c.md>)', `[a](</pages/${odd}>)`],
    ['[a](./a%20%28b%29%20%26%20c.md)', `[a](/pages/${odd})`],
    ['[a](./guide/start.md)', `[a](/pages/${nested})`],
    ['![a](./logo.png)', '![a](/files/f1)'],
    ['[a](./intro)', '[a](/files/f2)'],
    ['[a][r]\n\n[r]: ./intro.md\n', `[a][r]\n\n[r]: /pages/${intro}\n`],
    ['\uFEFFa\r\n[b](./intro.md)  \r\n\t&amp;', `\uFEFFa\r\n[b](/pages/${intro})  \r\n\t&amp;`],
  ])('stand in links: %j', async (markdown, spelled) => {
    expect(await spell(markdown)).toBe(spelled);
  });

  it.each([
    '[a](intro.md)',
    '[a](../intro.md)',
    '[a](./other.md)',
    '[a](./logo.png#part)',
    '[a](./%zz.md)',
    '[a](./__proto__.md)',
    '`./intro.md`',
    '```\n[a](./intro.md)\n```\n',
    './intro.md',
  ])('are nowhere else: %j', async (markdown) => {
    expect(await spell(markdown)).toBe(markdown);
  });

  it('stand in trees of nodes', async () => {
    const document = await toDocument('[a](./intro.md#x) [b](/pages/p1) [c](#d)\n\n![d](./logo.png)\n\n[e](./f.md)\n');
    const spelled = await refs.spell({ document });
    expect(spelled).toBe(
      await toMarkdown(
        await toDocument(`[a](/pages/${intro}#x) [b](/pages/p1) [c](#d)\n\n![d](/files/f1)\n\n[e](./f.md)\n`),
      ),
    );
  });
});
