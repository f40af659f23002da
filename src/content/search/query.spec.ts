import { MAX_SLOTS, MAX_UNITS, parseQuery } from './query.js';

/** Units as text: phrases in quotes, parts joined by `+`, `*` behind a prefix. */
const shown = (query: string): string[] =>
  parseQuery(query).map(({ slots, quoted }) => {
    const words = slots.map(({ word, prefix }) => (prefix ? `${word}*` : word)).join('+');
    return quoted ? `"${words}"` : words;
  });

describe('parseQuery', () => {
  it.each([
    ['borrow Checker', ['borrow', 'checker*']],
    ['"borrow checker" Rust', ['"borrow+checker"', 'rust*']],
    ['rust "borrow checker"', ['rust', '"borrow+checker"']],
    ['“one two” three', ['"one+two"', 'three*']],
    ['rust rust RUST', ['rust*']],
    ['"open quote', ['open', 'quote*']],
    ['std::vec::Vec new', ['std+vec+vec', 'new*']],
    ['snake_case_na', ['snake+case+na*']],
    ['foo(bar)', ['foo', 'bar*']],
    ['今日は世界', ['今+日', 'は', '世+界*']],
    ['', []],
    ['""', []],
    ['.*?[]{}^$ 🎉', []],
  ])('reads %j as %j', (query, units) => {
    expect(shown(query)).toEqual(units);
  });

  it('lets the whole of an identifier stand for its parts', () => {
    expect(parseQuery('HashMap')[0]?.whole).toEqual({ word: 'hashmap', prefix: true, exact: true });
  });

  it.each([
    '"'.repeat(512),
    Array.from({ length: 256 }, (_, n) => String.fromCharCode(97 + (n % 26))).join(' '),
    `"${'a '.repeat(255)}"`,
    'a.'.repeat(256),
    '\0\u0001\u202e\ud800'.repeat(128),
    '(a+)+$'.repeat(85),
    'x'.repeat(100_000),
    '𝔞'.repeat(256),
    '世界'.repeat(256),
    'aB'.repeat(256),
  ])('bounds the hostile query %#', (query) => {
    const units = parseQuery(query);
    expect(units.length).toBeLessThanOrEqual(MAX_UNITS);
    expect(units.flatMap(({ slots }) => slots).length).toBeLessThanOrEqual(MAX_SLOTS);
  });
});
