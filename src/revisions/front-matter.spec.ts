import fc from 'fast-check';
import { readFrontMatter } from './front-matter.js';
import { measure } from '../../test/support/spent.js';

const read = (...lines: string[]): unknown => readFrontMatter(['---', ...lines, '---', '# Text', ''].join('\n')).values;

describe('readFrontMatter', () => {
  it('reads texts and flags, and passes over the rest', () => {
    expect(
      read(
        'title: Plain text # with a comment',
        "description: 'It''s quoted'",
        'icon: "a\\tb\\u0041"',
        'emoji: 🚀',
        'hidden: true',
        'noIndex: False',
        'noRobotsIndex: maybe',
        'layout:',
        '  width: wide',
        '  title: below another key',
        'vars: { a: 1 }',
      ),
    ).toEqual({
      title: 'Plain text',
      description: "It's quoted",
      icon: 'a\tbA',
      emoji: '🚀',
      hidden: true,
      noIndex: false,
    });
  });

  it('reads texts of several lines', () => {
    expect(read('description: >-', '  one', '', '  two', 'title: |', '  three', '  four')).toEqual({
      description: 'one two',
      title: 'three\nfour',
    });
    expect(read('title: one', '  two')).toEqual({ title: 'one two' });
  });

  it('tells an empty text from none', () => {
    expect(read('title: ""', 'icon:', 'emoji: ~')).toEqual({ title: '', emoji: '~' });
  });

  it('takes no lists, maps or references for texts', () => {
    expect(read('title: [a]', 'description: {a: b}', 'icon: *x', 'emoji: !!str x')).toEqual({});
    expect(read('title:', '  - a', '  - b')).toEqual({});
  });

  it('knows where the text begins', () => {
    expect(readFrontMatter('---\r\ntitle: a\r\n---\r\nText')).toEqual({ values: { title: 'a' }, end: 20 });
    expect(readFrontMatter('\uFEFF---\n---\nText')).toEqual({ values: {}, end: 9 });
    expect(readFrontMatter('\uFEFFText')).toEqual({ end: 1 });
    for (const none of ['', 'Text', '---', '---\ntitle: a', ' ---\n---\n', '----\n---\n']) {
      expect(readFrontMatter(none)).toEqual({ end: 0 });
    }
  });

  it('takes hostile keys for what they are', () => {
    expect(read('__proto__: x', 'constructor: y', '$where: z')).toEqual({});
  });

  it('never throws', () => {
    const line = fc
      .tuple(fc.constantFrom('title', 'hidden', ' ', '-', '"'), fc.string({ unit: 'binary' }))
      .map(([key, text]) => `${key}: ${text}`);
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { values = {}, end } = readFrontMatter(['---', ...lines, '---', ''].join('\n'));
        expect(end).toBeGreaterThan(0);
        expect(Object.keys(values).every((key) => key === 'title' || key === 'hidden')).toBe(true);
      }),
    );
  });

  it('takes no longer for more', () => {
    for (const body of [
      '---\n'.repeat(200_000),
      `---\n${'\n--'.repeat(300_000)}`,
      `---\ntitle: "${'\\'.repeat(500_000)}\n---\n`,
    ]) {
      const spent = measure();
      readFrontMatter(body);
      expect(spent()).toBeLessThan(2);
    }
  });
});
