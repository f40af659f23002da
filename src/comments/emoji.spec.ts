import { emojiKey } from './emoji.js';

describe('emojiKey', () => {
  it.each(['👍', '☝🏽', '🇩🇪', '👨‍👩‍👧', '🧑🏽‍🚀', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🫠', '©'])('takes %s as it is', (emoji) => {
    expect(emojiKey(emoji)).toBe(emoji);
  });

  it.each([
    ['❤️', '❤'],
    ['1️⃣', '1⃣'],
    ['❤️‍🔥', '❤‍🔥'],
    ['👁️‍🗨️', '👁‍🗨'],
  ])('knows %s and %s for the same', (qualified, plain) => {
    expect(emojiKey(qualified)).toBe(plain);
    expect(emojiKey(plain)).toBe(plain);
  });

  it.each([
    ['1f44d', '👍'],
    ['1F44D', '👍'],
    ['2764-fe0f', '❤'],
    ['1f1e9-1f1ea', '🇩🇪'],
    ['0031-fe0f-20e3', '1⃣'],
  ])('reads %s as %s', (points, emoji) => {
    expect(emojiKey(points)).toBe(emoji);
  });

  it.each([
    ...['', ' ', 'a', 'abc', '1', '12', '👍👎', '👍 ', 'a👍', '👍‍👎', '🇩', '\u200d', '\ufe0f', '🏽👍'],
    ...['d83d-dc4d', 'ffffff', '61', '1f44d-1f44e', '1f44d-', '-', '1f44d 1f44e', '👍'.repeat(50)],
    ...[5, null, undefined, ['👍'], { emoji: '👍' }],
  ])('refuses %j', (value) => {
    expect(emojiKey(value)).toBeUndefined();
  });
});
