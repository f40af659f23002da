import { Binary, ObjectId } from 'bson';
import { EngineError } from '../errors.js';
import { compileExpression } from './expression.js';

describe('expressions', () => {
  const id = new ObjectId('00000000000000000000000a');
  const doc = {
    n: 5,
    s: 'Text',
    d: new Date(0),
    z: null,
    l: [3, 1, 2],
    o: { k: 'v' },
    id,
    dollar: '$s',
    b: new Binary(Buffer.from([255])),
    c: new Binary(Buffer.from([254])),
  };

  it.each<[expression: unknown, expected: unknown]>([
    ['$n', 5],
    ['$o.k', 'v'],
    ['$nope', undefined],
    [{ a: '$nope', b: ['$nope', 1] }, { b: [null, 1] }],
    [{ $literal: '$n' }, '$n'],
    ['$$ROOT.n', 5],
    [{ $eq: ['$nope', null] }, false],
    [{ $lt: ['$nope', null] }, true],
    [{ $eq: ['$l', 3] }, false],
    [{ $eq: ['$b', '$c'] }, false],
    [{ $gt: ['$s', '$n'] }, true],
    [
      {
        $ne: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      true,
    ],
    [{ $cmp: [1, 2] }, -1],
    [{ $not: [''] }, false],
    [{ $and: ['$n', ''] }, true],
    [{ $or: [0, null] }, false],
    [{ $cond: [{ $gte: ['$n', 5] }, 'big', 'small'] }, 'big'],
    [{ $cond: { if: '$z', then: 1, else: 2 } }, 2],
    [{ $ifNull: ['$z', '$nope', 7] }, 7],
    [{ $switch: { branches: [{ case: { $eq: ['$n', 5] }, then: 'five' }], default: 'other' } }, 'five'],
    [{ $add: ['$n', 1, 2] }, 8],
    [{ $add: ['$d', 5] }, new Date(5)],
    [{ $add: ['$n', '$z'] }, null],
    [{ $subtract: ['$d', { $literal: new Date(3) }] }, -3],
    [{ $subtract: ['$n', 2] }, 3],
    [{ $multiply: ['$n', 2, 3] }, 30],
    [{ $divide: ['$n', 2] }, 2.5],
    [{ $sum: '$l' }, 6],
    [{ $sum: ['$n', 'x', 1] }, 6],
    [{ $avg: '$l' }, 2],
    [{ $max: '$l' }, 3],
    [{ $min: ['$n', null, 2] }, 2],
    [{ $concat: ['$s', '!'] }, 'Text!'],
    [{ $toUpper: '$s' }, 'TEXT'],
    [{ $size: '$l' }, 3],
    [{ $in: [2, '$l'] }, true],
    [{ $arrayElemAt: ['$l', -1] }, 2],
    [{ $slice: ['$l', 2] }, [3, 1]],
    [{ $concatArrays: ['$l', [9]] }, [3, 1, 2, 9]],
    [{ $map: { input: '$l', as: 'e', in: { $add: ['$$e', '$n'] } } }, [8, 6, 7]],
    [{ $filter: { input: '$l', cond: { $gt: ['$$this', 1] } } }, [3, 2]],
    [{ $reduce: { input: '$l', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
    [{ $let: { vars: { x: { $add: ['$n', 1] } }, in: { $multiply: ['$$x', 2] } } }, 12],
    [{ $sortArray: { input: '$l', sortBy: 1 } }, [1, 2, 3]],
    [{ $sortArray: { input: [{ k: 2 }, { k: 1 }], sortBy: { k: 1 } } }, [{ k: 1 }, { k: 2 }]],
    [{ $mergeObjects: ['$o', { q: 1 }, null] }, { k: 'v', q: 1 }],
    [{ $objectToArray: '$o' }, [{ k: 'k', v: 'v' }]],
    [
      {
        $arrayToObject: [
          [
            ['a', [1, 2]],
            ['b', 2],
          ],
        ],
      },
      { a: [1, 2], b: 2 },
    ],
    [{ $arrayToObject: { $objectToArray: '$o' } }, { k: 'v' }],
    [
      {
        $setUnion: [
          [1, 2],
          [2, { $literal: 3 }],
        ],
      },
      [1, 2, 3],
    ],
    [{ $setIntersection: ['$l', [2, 3, 9]] }, [3, 2]],
    [{ $setDifference: ['$l', [2]] }, [3, 1]],
    [{ $setIntersection: [['$b'], ['$c']] }, []],
    [{ $setUnion: ['$l', '$z'] }, null],
    [{ $setIsSubset: [[1], '$l'] }, true],
    [{ $setEquals: ['$l', [1, 2, 3, 1]] }, true],
    [{ $setEquals: ['$l', [1, 2]] }, false],
    [{ $type: '$id' }, 'objectId'],
    [{ $type: '$nope' }, 'missing'],
    [{ $type: '$b' }, 'binData'],
    [{ $toString: '$id' }, '00000000000000000000000a'],
    [{ $toString: '$n' }, '5'],
    [{ $toObjectId: '00000000000000000000000a' }, id],
    [{ $convert: { input: '$dollar', to: 'string' } }, '$s'],
    [{ $convert: { input: 'x', to: 'int', onError: 'bad' } }, 'bad'],
    [{ $convert: { input: '$z', to: 'int', onNull: 0 } }, 0],
    [{ $toInt: '7' }, 7],
    [{ $dateToString: { date: '$d', format: '%Y-%m-%d' } }, '1970-01-01'],
    [{ $year: '$d' }, 1970],
    [{ $dateTrunc: { date: '$d', unit: 'day' } }, new Date(0)],
    [{ $regexMatch: { input: '$s', regex: 'ex' } }, true],
    [{ $split: ['a,b', ','] }, ['a', 'b']],
  ])('%j', (expression, expected) => {
    expect(compileExpression(expression)(doc)).toEqual(expected);
  });

  it.each<[expression: unknown, code: number]>([
    [{ $add: ['$s', 1] }, 14],
    [{ $subtract: ['$s', 1] }, 14],
    [{ $add: ['$d', '$d'] }, 16612],
    [{ $eq: [1] }, 16020],
    [{ $in: [1, '$n'] }, 40081],
    [{ $toString: '$o' }, 241],
    [{ $toObjectId: 'x' }, 241],
    [{ $mergeObjects: ['$n'] }, 40400],
    [{ $toInt: 'x' }, 2],
    [{ $size: '$n' }, 2],
    [{ $setUnion: ['$n'] }, 17044],
    [{ $arrayToObject: '$n' }, 40386],
    [{ $arrayToObject: '$l' }, 40392],
  ])('%j fails with %i', (expression, code) => {
    expect(() => compileExpression(expression)(doc)).toThrow(expect.objectContaining({ code }) as EngineError);
  });
});
