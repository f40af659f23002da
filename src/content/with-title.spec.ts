import { withTitle } from './with-title.js';

describe('withTitle', () => {
  it.each([
    ['Text\n', '# A page\n\nText\n'],
    ['', '# A page\n\n'],
    ['---\ntitle: A page\n---\nText\n', '---\ntitle: A page\n---\n# A page\n\nText\n'],
    ['## Second\n', '# A page\n\n## Second\n'],
    ['#tag\n', '# A page\n\n#tag\n'],
  ])('puts it before %j', async (markdown, expected) => {
    expect(await withTitle(markdown, 'A page')).toBe(expected);
  });

  it.each([
    '# Other\n\nText\n',
    '\n\n# Other',
    'Other\n=====\n',
    '---\nicon: x\n---\n\n# Other\n',
    '   # Other',
    '#\n',
  ])('leaves %j', async (markdown) => {
    expect(await withTitle(markdown, 'A page')).toBe(markdown);
  });

  it('spells the title so that it is read as it is', async () => {
    expect(await withTitle('', 'Use *this*\n# not')).toBe('# Use \\*this\\* # not\n\n');
  });
});
