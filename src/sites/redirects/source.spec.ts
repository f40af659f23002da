import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { isSource, keyOf, segmentsOf } from './source.js';

describe('the source of a redirect', () => {
  it('is a path of segments that are safe in addresses', () => {
    const good = ['/a', '/a/b', '/a.b-c_d~e', '/%41', '/%C3%A4', '/..', `/${'a'.repeat(511)}`];
    const bad = [
      '',
      '/',
      'a',
      '/a/',
      '//a',
      '/a//b',
      '/a b',
      '/ä',
      '/%',
      '/%4',
      '/%ff',
      '/a?b',
      '/a\n',
      `/${'a'.repeat(512)}`,
    ];
    expect(good.filter(isSource)).toEqual(good);
    expect(bad.filter(isSource)).toEqual([]);
  });

  it('is one for all spellings', () => {
    const keys = ['/a~b/c', '/a%7Eb/c', '/%61%7eb/%63', '/a~b//c/'].map((path) => keyOf(segmentsOf(path) ?? []));
    expect(new Set(keys)).toEqual(new Set(['/a~b/c']));
    expect(keyOf(['a/b'])).not.toBe(keyOf(['a', 'b']));
  });

  it('reads any segments back', () => {
    const segments = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(segments, (given) => {
        expect(segmentsOf(keyOf(given))).toEqual(given);
      }),
      { numRuns: cases(100, 1000) },
    );
  });

  it('is nothing where it cannot be decoded', () => {
    expect(segmentsOf('/a/%e4')).toBeNull();
    expect(segmentsOf('/a/\ud800')).toBeNull();
  });
});
