import { type Invariant, Invariants } from './invariants.js';

const holding: Invariant = async function* () {
  // nothing is wrong
};

describe('Invariants', () => {
  it('are told in the order in which they were added, by name', () => {
    const invariants = new Invariants();
    expect(invariants.entries()).toEqual([]);
    invariants.add('b holds', holding);
    invariants.add('a holds', holding);
    invariants.add('__proto__', holding);
    expect(invariants.entries()).toEqual([
      ['b holds', holding],
      ['a holds', holding],
      ['__proto__', holding],
    ]);
  });
});
