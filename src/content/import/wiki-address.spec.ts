import { nameKey, WikiAddress } from './wiki-address.js';

describe('WikiAddress', () => {
  it.each([
    'https://github.com/o/r',
    'https://github.com/o/r.git',
    'https://github.com/o/r.wiki.git',
    'https://github.com/o/r/wiki',
    'https://github.com/o/r/wiki/Some-Page',
  ])('finds the wiki of %s', (address) => {
    const wiki = new WikiAddress(address);
    expect(wiki.base).toBe('https://github.com/o/r/wiki');
    expect(wiki.sourceOf('Über/x')).toBe('https://raw.githubusercontent.com/wiki/o/r/%C3%9Cber%2Fx.md');
    expect(wiki.fileAt('https://github.com/o/r/wiki/images/a.png')).toBe(
      'https://raw.githubusercontent.com/wiki/o/r/images/a.png',
    );
  });

  it('finds wikis of other hosts by their addresses', () => {
    const wiki = new WikiAddress('https://git.example.org/o/r/wiki/Home');
    expect(wiki.base).toBe('https://git.example.org/o/r/wiki');
    expect(wiki.sourceOf('Home')).toBe('https://git.example.org/o/r/wiki/Home.md');
    expect(new WikiAddress('https://wiki.example.org/').base).toBe('https://wiki.example.org');
  });

  it('knows which addresses are pages', () => {
    const wiki = new WikiAddress('https://github.com/o/r/wiki');
    const nameOf = (written: string): string | undefined => {
      const address = wiki.resolve(written);
      return address === undefined ? undefined : wiki.nameAt(address);
    };
    expect(nameOf('Page-A#x')).toBe('Page-A');
    expect(nameOf('/o/r/wiki')).toBe('Home');
    expect(nameOf('Page%20B.md')).toBe('Page B');
    for (const other of ['_history', 'images/a.png', '/o/r/issues', 'https://x.org/o/r/wiki/A', 'javascript:x']) {
      expect(nameOf(other)).toBeUndefined();
    }
    expect(nameKey('Page B')).toBe(nameKey('page-b'));
  });
});
