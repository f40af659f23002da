import fc from 'fast-check';
import { FileNames, isSafeName } from './file-names.js';

describe('isSafeName', () => {
  it.each(['a.md', 'a/b/c.md', 'ch04-01-what-is-ownership.md', 'Über uns/größe.md', '.hidden', 'a b.md', '日本.md'])(
    'takes %s',
    (name) => {
      expect(isSafeName(name)).toBe(true);
    },
  );

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a\\b',
    'C:/a',
    'a\0b',
    'a\nb',
    'con',
    'NUL.txt',
    'a./b',
    'a /b',
    'a*',
    'x'.repeat(256),
    Array.from({ length: 300 }, () => 'abcd').join('/'),
    '\ud800',
  ])('refuses %j', (name) => {
    expect(isSafeName(name)).toBe(false);
  });
});

describe('FileNames', () => {
  it('gives what is wanted while it is safe and free', () => {
    const names = new FileNames(['SUMMARY.md']);
    expect(names.take('a/b.md', 'x.md')).toBe('a/b.md');
    expect(names.take('A/B.md', 'x.md')).toBe('x.md');
    expect(names.take('../b.md', 'x.md')).toBe('x-1.md');
    expect(names.take('summary.md', 'y')).toBe('y');
    expect(names.take(undefined, 'y')).toBe('y-1');
  });

  it('keeps files and folders apart', () => {
    const names = new FileNames();
    expect(names.take('a/b/c', 'x')).toBe('a/b/c');
    expect(names.take('a/b', 'x')).toBe('x');
    expect(names.take('a/b/c/d', 'z')).toBe('z');
  });

  it('never gives a name twice, nor one that lies in a file', () => {
    const segment = fc.constantFrom('a', 'A', 'b', 'c.md');
    const name = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.option(name, { nil: undefined }), name), { maxLength: 30 }), (wishes) => {
        const names = new FileNames(['SUMMARY.md']);
        const given = wishes.map(([wanted, fallback]) => names.take(wanted, fallback).toLowerCase());
        expect(new Set(given).size).toBe(given.length);
        for (const one of given) expect(given.some((other) => other.startsWith(`${one}/`))).toBe(false);
      }),
    );
  });
});
