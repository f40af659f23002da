import { below, candidatesOf, pathOf } from './address.js';

const BASE = 'https://docs.test/published';

describe('candidatesOf', () => {
  it('reads an address below where sites are published', () => {
    expect(candidatesOf('https://docs.test/published/acme/handbook/a%20b/c?x#y', BASE)).toEqual({
      own: { organization: 'acme', basename: 'handbook', segments: ['a b', 'c'] },
      proxies: [],
    });
  });

  it('reads it in any case', () => {
    const own = { organization: 'ACME', basename: 'Handbook', segments: [] };
    expect(candidatesOf('HTTPS://DOCS.TEST/PUBLISHED/ACME/Handbook', BASE)).toEqual({ own, proxies: [] });
  });

  it('reads an address elsewhere as one behind a proxy, the longest base first', () => {
    expect(candidatesOf('https://Example.org/docs/a%20b/c', BASE)).toEqual({
      own: null,
      proxies: [
        { key: 'example.org/docs/a b/c', segments: [] },
        { key: 'example.org/docs/a b', segments: ['c'] },
        { key: 'example.org/docs', segments: ['a b', 'c'] },
      ],
    });
  });

  it.each([
    'https://docs.test/published/acme',
    'https://docs.test/acme/handbook',
    'https://other.test/published/a/b',
    'https://docs.test',
  ])('finds no site of ours in %s', (address) => {
    expect(candidatesOf(address, BASE)?.own).toBeNull();
  });

  it('refuses what is no address, and looks at a bounded number of places', () => {
    expect(candidatesOf('nothing', BASE)).toBeNull();
    expect(candidatesOf('https://docs.test/%ff', BASE)).toBeNull();
    expect(candidatesOf(`https://docs.test/${'a/'.repeat(500)}`, BASE)?.proxies).toHaveLength(12);
  });
});

describe('addresses', () => {
  it('are put together and taken apart', () => {
    expect(below(BASE, ['a b', 'ü'])).toBe('https://docs.test/published/a%20b/%C3%BC');
    expect([pathOf('https://docs.test'), pathOf('https://docs.test/a/'), pathOf(BASE)]).toEqual([
      '/',
      '/a',
      '/published',
    ]);
  });
});
