import { readSummary } from './summary.js';

describe('readSummary', () => {
  it('reads chapters, nesting, parts, drafts and links in order', () => {
    const summary = [
      '# The Book',
      '',
      '[Foreword](foreword.md)',
      '',
      '# First part',
      '',
      '- [One `code`](one.md)',
      '  - [One A](one/a%20b.md#top)',
      '    - [Deep](one/deep.md)',
      '  - Draft chapter',
      '- [Two]()',
      '',
      '---',
      '',
      '## Second part',
      '',
      '* [Three](three.md)',
      '* [Outside](https://example.org/x)',
      '',
      '[Afterword](after.md)',
    ].join('\n');
    expect(readSummary(summary)).toEqual([
      { kind: 'page', title: 'Foreword', file: 'foreword.md', children: [] },
      {
        kind: 'group',
        title: 'First part',
        children: [
          {
            kind: 'page',
            title: 'One code',
            file: 'one.md',
            children: [
              {
                kind: 'page',
                title: 'One A',
                file: 'one/a b.md',
                children: [{ kind: 'page', title: 'Deep', file: 'one/deep.md', children: [] }],
              },
              { kind: 'page', title: 'Draft chapter', children: [] },
            ],
          },
          { kind: 'page', title: 'Two', children: [] },
        ],
      },
      {
        kind: 'group',
        title: 'Second part',
        children: [
          { kind: 'page', title: 'Three', file: 'three.md', children: [] },
          { kind: 'link', title: 'Outside', url: 'https://example.org/x', children: [] },
        ],
      },
      { kind: 'page', title: 'Afterword', file: 'after.md', children: [] },
    ]);
  });

  it('answers nothing for a text without chapters', () => {
    expect(readSummary('')).toEqual([]);
    expect(readSummary('# Title\n\nJust words.\n\n# Empty part\n')).toEqual([]);
  });
});
