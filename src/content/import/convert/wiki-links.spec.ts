import { resolveWikiLinks } from './wiki-links.js';

describe('resolveWikiLinks', () => {
  it.each([
    ['[[Page]]', '[Page](Page)'],
    ['See [[Some page]].', 'See [Some page](Some-page).'],
    ['[[the text|Some page#A part]]', '[the text](Some-page#A%20part)'],
    ['[[images/a.png]] [[a.jpg|alt=x]]', '![](images/a.png) ![](a.jpg)'],
    ['| [[a\\|b]] |\n| - |', '| [a](b) |\n| - |'],
    ['[[x (y)]]', '[x (y)](x-%28y%29)'],
    ['`[[Page]]`', '`[[Page]]`'],
    ['```\n[[Page]]\n```', '```\n[[Page]]\n```'],
    ['    [[Page]]', '    [[Page]]'],
    ['[[]] [[a\nb]] [a](b) [[a]', '[[]] [[a\nb]] [a](b) [[a]'],
    ['*[[a]]* and **[[b]]**\r\n', '*[a](a)* and **[b](b)**\r\n'],
  ])('writes %j as %j', (markdown, result) => {
    expect(resolveWikiLinks(markdown)).toBe(result);
  });
});
