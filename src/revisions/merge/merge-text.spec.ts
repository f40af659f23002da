import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { mergeText } from './merge-text.js';
import { measure } from '../../../test/support/spent.js';

describe('mergeText', () => {
  it('takes what each side changed', () => {
    expect(mergeText('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n')).toBe('A\nb\nc\nD\n');
    expect(mergeText('a\nb\nc\n', 'a\nb\nc\nd\n', 'x\na\nb\nc\n')).toBe('x\na\nb\nc\nd\n');
    expect(mergeText('a\nb\nc\nd\n', 'b\nc\nd\n', 'a\nb\nc\n')).toBe('b\nc\n');
  });

  it('takes what both changed alike once', () => {
    expect(mergeText('a\nb\nc\n', 'a\nB\nc\n', 'a\nB\nc\n')).toBe('a\nB\nc\n');
    expect(mergeText('a\nb\nc\nd\n', 'a\nB\nc\nD\n', 'a\nB\nc\nd\n')).toBe('a\nB\nc\nD\n');
  });

  it('merges nothing that touches', () => {
    expect(mergeText('a\nb\nc\n', 'a\nB\nc\n', 'a\nX\nc\n')).toBeNull();
    expect(mergeText('a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n')).toBeNull();
    expect(mergeText('a\n', 'a\nb\n', 'a\nc\n')).toBeNull();
    expect(mergeText('', 'a\n', 'b\n')).toBeNull();
  });

  it('keeps line ends as they are', () => {
    expect(mergeText('a\r\nb\nc\r\nd', 'A\r\nb\nc\r\nd', 'a\r\nb\nc\r\nd\r\n')).toBe('A\r\nb\nc\r\nd\r\n');
    expect(mergeText('a\nb\nc', 'x\na\nb\nc', 'a\nb\nc\nd')).toBe('x\na\nb\nc\nd');
    expect(mergeText('a\rb\n\n\u2028\n', 'a\rb\n\n\u2028\nz', '\ufeff\na\rb\n\n\u2028\n')).toBe(
      '\ufeff\na\rb\n\n\u2028\nz',
    );
    expect(
      mergeText('__proto__\nconstructor\n\n1\n', '__proto__\nconstructor\n\n1\n2', '0\n__proto__\nconstructor\n\n1\n'),
    ).toBe('0\n__proto__\nconstructor\n\n1\n2');
  });

  it('gives up in bounded time on texts of very many equal lines', () => {
    const base = 'a line\n\n'.repeat(90_000);
    const spent = measure();
    expect(mergeText(base, `x\n${base}y\n`, `z\n${base}`)).toBeNull();
    expect(mergeText(base.slice(8), `x\n${base}`, `${base.slice(16)}y\n`)).toBeNull();
    const lines = '\n'.repeat(2_000_000);
    expect(mergeText(lines, `x${lines}`, `${lines}y`)).toBeNull();
    expect(spent()).toBeLessThan(5);
  });

  it('merges long texts of different lines', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `Line ${index}\n\n`);
    const changed = (at: number): string => lines.with(at, 'changed\n').join('');
    const expected = lines.with(10, 'changed\n').with(49_990, 'changed\n').join('');
    expect(mergeText(lines.join(''), changed(10), changed(49_990))).toBe(expected);
  });

  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd\n', 'e\n');
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end', '\r'))
    .map(([lines, end]) => lines.join('') + end);

  it('does not depend on which side is which', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(mergeText(base, theirs, ours)).toBe(mergeText(base, ours, theirs));
      }),
      { numRuns: cases(1000, 20_000) },
    );
  });

  it('answers the other side when one did nothing', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeText(base, base, changed)).toBe(changed);
        expect(mergeText(base, changed, changed)).toBe(changed);
      }),
      { numRuns: cases(500, 10_000) },
    );
  });

  it('loses no line that somebody wrote, and keeps none that one side took away', () => {
    const count = (of: string): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const [part] of of.matchAll(/[^\n]*\n|[^\n]+/g)) counts.set(part, (counts.get(part) ?? 0) + 1);
      return counts;
    };
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        const merged = mergeText(base, ours, theirs);
        if (merged === null) return;
        const [b, o, t, m] = [count(base), count(ours), count(theirs), count(merged)];
        for (const part of new Set([...b.keys(), ...o.keys(), ...t.keys(), ...m.keys()])) {
          const [before, our, their, after] = [b, o, t, m].map((counts) => counts.get(part) ?? 0) as [
            number,
            number,
            number,
            number,
          ];
          const sum = before + (our - before) + (their - before);
          // what both sides did alike counts once, and only then is there a difference to the sum
          expect(after).toBeGreaterThanOrEqual(Math.min(sum, our, their));
          expect(after).toBeLessThanOrEqual(Math.max(sum, our, their));
        }
      }),
      { numRuns: cases(2000, 40_000) },
    );
  });
});
