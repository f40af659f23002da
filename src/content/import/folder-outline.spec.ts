import { folderOutline } from './folder-outline.js';
import type { SummaryEntry } from './summary.js';

type Shape = [title: string, file: string | undefined, below: Shape[]];
const shapeOf = (entries: SummaryEntry[]): Shape[] =>
  entries.map(({ title, file, children }) => [title, file, shapeOf(children)]);

describe('folderOutline', () => {
  it('makes folders the tree, with their own pages, in the order of names', () => {
    const files = [
      'guide/10-last.md',
      'guide/2-first.md',
      'guide/README.md',
      'README.md',
      'guide.md',
      'empty/deep/page.markdown',
      'about/index.md',
      'img/x.png',
      '.github/hidden.md',
      '__MACOSX/a.md',
    ];
    expect(shapeOf(folderOutline(files))).toEqual([
      ['Introduction', 'README.md', []],
      ['About', 'about/index.md', []],
      ['Empty', undefined, [['Deep', undefined, [['Page', 'empty/deep/page.markdown', []]]]]],
      [
        'Guide',
        'guide.md',
        [
          ['2 first', 'guide/2-first.md', []],
          ['10 last', 'guide/10-last.md', []],
        ],
      ],
      ['Guide', 'guide/README.md', []],
    ]);
  });

  it('is empty without Markdown', () => {
    expect(folderOutline(['a.txt', 'b/c.html'])).toEqual([]);
  });
});
