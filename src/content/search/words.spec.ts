import { fold, isBoundary, MAX_WORD, stem, tokenise } from './words.js';

const parts = (text: string): string[] => tokenise(text).flatMap((token) => token.parts);

describe('fold', () => {
  it.each([
    ['Ünïcödé', 'unicode'],
    ['ﬁle ② Ｗｉｄｅ', 'file 2 wide'],
    ['İstanbul', 'istanbul'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['한국어', '한국어'],
    ['がぎ', 'がぎ'],
    ['ที่นี่', 'ที่นี่'],
  ])('makes %j %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
    expect(fold(folded)).toBe(folded);
  });
});

describe('tokenise', () => {
  it.each([
    ['The borrow-checker, twice.', ['the', 'borrow', 'checker', 'twice']],
    ['std::vec::Vec<T>', ['std', 'vec', 'vec', 't']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['HTTPServer2Go utf8Decoder', ['http', 'server2', 'go', 'utf8', 'decoder']],
    ["Rust's and don’t", ['rust', 'and', 'don', 't']],
    ['今日は', ['今', '日', 'は']],
    ['สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
    ['🎉 !?', []],
  ])('splits %j', (text, words) => {
    expect(parts(text)).toEqual(words);
  });

  it('keeps the whole of an identifier and of a word without spaces', () => {
    expect(tokenise('HashMap')).toEqual([{ parts: ['hash', 'map'], whole: 'hashmap' }]);
    expect(tokenise('世界')).toEqual([{ parts: ['世', '界'], whole: '世界' }]);
    expect(tokenise('WORD Word word')).toEqual([{ parts: ['word'] }, { parts: ['word'] }, { parts: ['word'] }]);
  });

  it('cuts long words, never in the middle of a character', () => {
    const words = [...parts('a'.repeat(5000)), ...parts(`a${'𝔞𐐷'.repeat(100)}`), ...parts('aB'.repeat(500))];
    expect(words.every((word) => word.length <= MAX_WORD && word.isWellFormed())).toBe(true);
  });
});

describe('stem', () => {
  it('is the same for the forms of an English word, and leaves others alone', () => {
    expect(new Set(['borrow', 'borrows', 'borrowed', 'borrowing'].map(stem)).size).toBe(1);
    expect(['as', 'größe', 'utf8', 'привет'].map(stem)).toEqual(['as', 'größe', 'utf8', 'привет']);
  });
});

describe('isBoundary', () => {
  it.each([
    ['HashMap', 4, true],
    ['Hashmap', 4, false],
    ['HTTPServer', 4, true],
    ['HTTPServer', 3, false],
    ['a b', 1, true],
    ['ab', 0, true],
    ['ab', 2, true],
    ['世界', 1, true],
    ['_b', 1, true],
    ['é1', 1, false],
  ])('of %j at %i is %j', (text, at, expected) => {
    expect(isBoundary(text, at)).toBe(expected);
  });
});
