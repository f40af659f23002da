import fc from 'fast-check';
import { isPath, ledTo, namedPath, relativePath, spellAddress, splitAddress } from './addresses.js';

const slug = fc.constantFrom('a', 'b', 'c-1', 'pages', 'files');
const path = fc.array(slug, { minLength: 1, maxLength: 5 }).map((slugs) => slugs.join('/'));

describe('addresses', () => {
  it.each([
    ['../b', true],
    ['b/c#anchor', true],
    ['./x.md', true],
    ['/guide/start', true],
    ['b%20c', true],
    ['#anchor', false],
    ['?query', false],
    ['', false],
    ['https://example.org/x', false],
    ['mailto:ann@example.org', false],
    ['//example.org/x', false],
    ['/pages/abc', false],
    ['/pages/abc#here', false],
    ['/files/abc', false],
    ['/spaces/abc', false],
    ['/spaces/abc/pages/def', false],
    ['/pages/abc/more', true],
  ])('%s is a path of the space: %s', (url, expected) => {
    expect(isPath(url)).toBe(expected);
  });

  it.each([
    ['b/c', 'a/b', 'a/b/c'],
    ['./x.md', 'a/b', 'a/x'],
    ['../x', 'a/b', 'x'],
    ['../../x', 'a/b', null],
    ['..', 'a/b', null],
    ['x/', 'top', 'x'],
    ['/guide/Start.MD', 'a/b', 'guide/start'],
    ['%61', 'x', 'a'],
    ['%zz', 'x', null],
    ['a/'.repeat(33), 'x', null],
  ])('%s in the page at %s names %s', (written, from, expected) => {
    expect(namedPath(written, from)).toBe(expected);
  });

  it('are cut into parts that make them up', () => {
    expect(splitAddress('a/b.md?x=1#y?z#')).toEqual({ path: 'a/b.md', query: '?x=1', anchor: '#y?z#' });
    fc.assert(
      fc.property(fc.string(), (url) => {
        const { path: first, query, anchor } = splitAddress(url);
        expect(first + query + anchor).toBe(url);
      }),
    );
  });

  it('lead from any page to any other', () => {
    fc.assert(
      fc.property(path, path, (from, to) => {
        expect(namedPath(relativePath(from, to), from)).toBe(to);
      }),
    );
  });

  it('are spelled anew in their own style, and never as something else', () => {
    expect(spellAddress('../b.md?x#y', 'a/b', 'c/d')).toBe('../c/d.md?x#y');
    expect(spellAddress('/b#y', 'a/b', 'c/d')).toBe('/c/d#y');
    // from the root that would be the page with the id `d`
    expect(spellAddress('/b', 'a/b', 'pages/d')).toBe('../pages/d');
    const written = fc.tuple(fc.constantFrom('', '/', './', '../'), path, fc.constantFrom('', '.md', '.md#x', '?q#x'));
    fc.assert(
      fc.property(written, path, path, (parts, from, to) => {
        const spelled = spellAddress(parts.join(''), from, to);
        expect(isPath(spelled)).toBe(true);
        expect(namedPath(splitAddress(spelled).path, from)).toBe(to);
      }),
    );
  });

  it('lead by their words where they always led, or, as names of files, in the same direction', () => {
    const from = { path: 'x/y/a' };
    const at = (to: string): { page: string; path: string } => ({ page: 'id', path: to });
    expect(ledTo('b', from, at('x/y/b'), 'z/a')).toBe('z/b');
    // by way of the root, though it is written relatively
    expect(ledTo('../../x/y/b', from, at('x/y/b'), 'z/a')).toBeNull();
    expect(ledTo('../../x/y/b', from, at('x/y/b'), 'z/y/a')).toBe('x/y/b');
    expect(ledTo('/x/y/b', from, at('x/y/b'), 'z/a')).toBe('x/y/b');
    expect(ledTo('ch-2.html', from, at('x/y/b'), 'z/a')).toBe('z/b');
    expect(ledTo('/ch-2.html', from, at('x/y/b'), 'z/a')).toBe('x/y/b');
    expect(ledTo('ch-2.html', from, { page: 'id', path: null }, 'x/y/a')).toBeNull();
  });
});
