import { mistakeInResolutions } from './resolutions.js';

const page = 'aaaaaaaaaaaaaaaaaaaa';
const other = 'bbbbbbbbbbbbbbbbbbbb';

describe('resolutions', () => {
  it.each([
    [[]],
    [[{ page, use: 'primary' }]],
    [
      [
        { page, use: 'change-request' },
        { page: other, document: { markdown: '' } },
      ],
    ],
    [
      [
        { file: page, use: 'primary' },
        { reusableContent: page, document: { markdown: 'Text' } },
        { page, use: 'primary' },
      ],
    ],
  ])('are as they should be: %j', (value) => {
    expect(mistakeInResolutions(value)).toBeUndefined();
  });

  it.each([
    [null, 'resolutions must be a list of at most 10000 entries'],
    [{}, 'resolutions must be a list of at most 10000 entries'],
    [Array.from({ length: 10_001 }, () => ({})), 'resolutions must be a list of at most 10000 entries'],
    [[null], 'resolutions.0 must be an object'],
    [[[]], 'resolutions.0 must be an object'],
    [[{}], 'resolutions.0 must name one of: page, file, reusableContent'],
    [[{ page: 5, use: 'primary' }], 'resolutions.0.page must be an id'],
    [[{ page, file: page, use: 'primary' }], 'resolutions.0 must have no "file" beside page'],
    [[{ page, use: 'primary', more: 1 }], 'resolutions.0 must have no "more" beside page'],
    [[{ page }], 'resolutions.0 takes either use or document'],
    [[{ page, use: 'primary', document: { markdown: '' } }], 'resolutions.0 takes either use or document'],
    [[{ page, use: 'ours' }], 'resolutions.0.use must be one of: change-request, primary'],
    [[{ page, use: null }], 'resolutions.0.use must be one of: change-request, primary'],
    [[{ page, document: 'Text' }], 'resolutions.0.document must be an object'],
    [[{ page, document: {} }], 'resolutions.0.document.markdown must be a string'],
    [[{ page, document: { markdown: '', nodes: [] } }], 'resolutions.0.document must have no "nodes"'],
    [[{ file: page, document: { markdown: '' } }], 'resolutions.0.document: a file has no text, settle it with use'],
    [
      [
        { page, use: 'primary' },
        { page, use: 'primary' },
      ],
      `resolutions.1 names the page ${page} a second time`,
    ],
  ])('are refused: %j', (value, message) => {
    expect(mistakeInResolutions(value)).toBe(message);
  });
});
