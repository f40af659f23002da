import { pageAddress, SiteScope } from './site-scope.js';

describe('SiteScope', () => {
  it.each([
    [
      'https://x.org/docs',
      ['https://x.org/docs', 'https://x.org/docs/', 'https://x.org/docs/a?b'],
      ['https://x.org/docsy', 'https://x.org/', 'http://x.org/docs', 'https://y.org/docs/a'],
    ],
    ['https://x.org/docs/index.html', ['https://x.org/docs/a'], ['https://x.org/other']],
    ['https://x.org', ['https://x.org/', 'https://x.org/a'], ['https://x.org:8443/a']],
  ])('of %s holds what lies below', (start, inside, outside) => {
    const scope = new SiteScope(start);
    expect(inside.map((address) => scope.holds(address))).toEqual(inside.map(() => true));
    expect(outside.map((address) => scope.holds(address))).toEqual(outside.map(() => false));
  });

  it('says where a page lies', () => {
    const scope = new SiteScope('https://x.org/docs/');
    const pathOf = (below: string): string[] => scope.pathOf(`https://x.org/docs${below}`);
    expect(pathOf('')).toEqual([]);
    expect(pathOf('/index.html')).toEqual([]);
    expect(pathOf('/guide/')).toEqual(['guide']);
    expect(pathOf('/guide/index.php')).toEqual(['guide']);
    expect(pathOf('/guide/%C3%9Cber%20uns.html')).toEqual(['guide', 'Über uns']);
    expect(pathOf('/v1.2/a')).toEqual(['v1.2', 'a']);
    expect(pathOf('/%ff')).toEqual(['%ff']);
  });

  it('follows no links to what is no page', () => {
    const scope = new SiteScope('https://x.org/');
    expect(['a.pdf', 'a.PNG', 'a.html', 'a'].map((name) => scope.wants(`https://x.org/${name}`))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('pageAddress', () => {
  it('is the same however a page is linked', () => {
    expect(pageAddress('https://X.org:443/a?utm_source=b&z=1&c=2#d')).toBe('https://x.org/a?c=2&z=1');
    expect(pageAddress('https://x.org/a?')).toBe(pageAddress('https://x.org/a?ref=x'));
  });
});
