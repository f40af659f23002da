import { readAppAddress } from './app-address.js';

const APP = 'https://app.test/write';

describe('readAppAddress', () => {
  it.each([
    ['https://app.test/write/c/c1', { kind: 'collection', collection: 'c1' }],
    ['https://app.test/write/s/s1', { kind: 'space', space: 's1', path: [] }],
    ['https://app.test/write/s/s1/guide/a%20b?x=1#y', { kind: 'space', space: 's1', path: ['guide', 'a b'] }],
    ['https://app.test/write/s/s1/~/changes/4', { kind: 'space', space: 's1', changeRequest: '4', path: [] }],
    [
      'https://app.test/write/s/s1/~/changes/4/guide',
      { kind: 'space', space: 's1', changeRequest: '4', path: ['guide'] },
    ],
    ['https://app.test/s/s1', null],
    ['https://app.test/writer/s/s1', null],
    ['http://app.test/write/s/s1', null],
    ['https://other.test/write/s/s1', null],
    ['https://app.test/write/', null],
    ['https://app.test/write/s', null],
    ['https://app.test/write/c/c1/more', null],
    ['https://app.test/write/o/o1', null],
    ['https://app.test/write/s/s1/~/revisions/r1', null],
    ['https://app.test/write/s/s1/%ff', null],
  ])('reads %s', (address, expected) => {
    expect(readAppAddress(address, APP)).toEqual(expected);
  });
});
