import fc from 'fast-check';
import { measure } from '../../test/support/spent.js';
import { newId } from '../common/ids.js';
import { isMatched, isUnmatched, representationOf, tagOf, tagsIn } from './entity-tag.js';

describe('a list of entity tags', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['"a"']],
    ['""', ['""']],
    ['W/"a"', ['W/"a"']],
    ['"a", "b"', ['"a"', '"b"']],
    ['"a","b" ,\t W/"c"', ['"a"', '"b"', 'W/"c"']],
    ['"a",, "b",', ['"a"', '"b"']],
  ])('%j', (header, tags) => {
    expect(tagsIn(header)).toEqual(tags);
  });

  it.each(['', ' ', ',', 'a', '"a', 'a"', '"a" "b"', '"a"b', 'w/"a"', 'W/a', '*, "a"', '"a", *', '"a b"', '"\u0000"'])(
    'is malformed: %j',
    (header) => {
      expect(tagsIn(header)).toBeNull();
    },
  );

  it('is read as what was written, whatever it is', () => {
    const tag = fc.tuple(fc.constantFrom('', 'W/'), fc.stringMatching(/^[!#-~]*$/)).map(([w, text]) => `${w}"${text}"`);
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1 }), fc.constantFrom(',', ', ', ' , '), (tags, between) => {
        expect(tagsIn(tags.join(between))).toEqual(tags);
      }),
    );
  });
});

describe('the tag of a representation', () => {
  it('is strong, and tells one from another', () => {
    expect(tagOf('{}')).toMatch(/^"[\w-]{27}"$/);
    expect(tagsIn(tagOf('{"a":1}'))).toEqual([tagOf('{"a":1}')]);
    expect(tagOf('{"a":1}')).not.toBe(tagOf('{"a":2}'));
    expect(tagOf('{"a":1}')).toBe(tagOf('{"a":1}'));
  });

  it('takes less than 0.05 ms of a thing as large as most', () => {
    const thing = {
      object: 'space',
      ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field${n}`, newId()])),
    };
    const spent = measure();
    for (let n = 0; n < 20_000; n += 1) tagOf(representationOf(thing) ?? '');
    expect(spent()).toBeLessThan(1);
  });
});

describe('a representation', () => {
  it('is the JSON of a single thing', () => {
    expect(representationOf({ id: 'a', items: 5, date: new Date(0) })).toBe(
      '{"id":"a","items":5,"date":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it.each([[undefined], [null], ['text'], [[1]], [{ count: 0, items: [] }]])('is not %j', (body) => {
    expect(representationOf(body)).toBeNull();
  });
});

describe('conditions', () => {
  const present = '"p"';
  it.each([
    ['*', present, true, false],
    ['*', null, false, true],
    [['"p"'], present, true, false],
    [['"o"', '"p"'], present, true, false],
    [['W/"p"'], present, false, false],
    [['"o"'], present, false, true],
    [['"p"'], null, false, true],
  ] as const)('%j of what has %j', (tags, tag, matched, unmatched) => {
    expect([isMatched(tags, tag), isUnmatched(tags, tag)]).toEqual([matched, unmatched]);
  });
});
