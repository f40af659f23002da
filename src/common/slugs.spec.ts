import fc from 'fast-check';
import { isSlug, numberedSlug, toSlug } from './slugs.js';

describe('toSlug', () => {
  it.each([
    ['Getting started', 'getting-started'],
    ['  --Already--a slug!  ', 'already-a-slug'],
    ['Über Größe & Maß', 'uber-grosse-mass'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Łódź İstanbul', 'lodz-istanbul'],
    ['C# / .NET', 'c-net'],
    ['ﬁle ② Ｗｉｄｅ', 'file-2-wide'],
    ['v1.2_final', 'v1-2-final'],
    ['日本語', 'page'],
    ['', 'page'],
    ['__proto__', 'proto'],
  ])('%j becomes %j', (title, slug) => {
    expect(toSlug(title)).toBe(slug);
  });

  it('takes the fallback it is given', () => {
    expect(toSlug('???', 'space')).toBe('space');
  });

  it('never ends in a hyphen when it is cut', () => {
    expect(toSlug(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99));
  });

  it('always answers a slug, and the same one for a slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const slug = toSlug(text);
        expect(isSlug(slug)).toBe(true);
        expect(toSlug(slug)).toBe(slug);
      }),
    );
  });
});

describe('numberedSlug', () => {
  it('adds the number', () => {
    expect(numberedSlug('page', 2)).toBe('page-2');
  });

  it('stays within 100 characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 1, max: 100_000 }),
        (text, number) => {
          const slug = numberedSlug(toSlug(text), number);
          expect(isSlug(slug)).toBe(true);
          expect(slug.endsWith(`-${number}`)).toBe(true);
        },
      ),
    );
  });
});

describe('isSlug', () => {
  it.each(['', '-a', 'a-', 'a--b', 'A', 'a/b', 'ä', 'a b', 'a\n', 'a'.repeat(101)])('refuses %j', (text) => {
    expect(isSlug(text)).toBe(false);
  });
});
