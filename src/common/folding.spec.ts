import { fold, literally } from './folding.js';

describe('fold', () => {
  it.each([
    ['Ann Author', 'ANN author'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁn', 'FIN'],
    ['Zoe\u0308', 'ZOË'],
  ])('makes %j and %j the same', (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it('keeps apart what differs in more than case', () => {
    expect(fold('Zoe')).not.toBe(fold('Zoë'));
  });
});

describe('literally', () => {
  it.each(['a.b', '^$*+?()[]{}|\\', 'a-b/c', ''])('finds %j as it stands', (text) => {
    expect(new RegExp(`^${literally(text)}$`, 'u').test(text)).toBe(true);
    expect(new RegExp(literally('a.b')).test('axb')).toBe(false);
  });
});
