import { Answers } from './answers.js';

abstract class Names {
  abstract of(ids: readonly string[]): Map<string, string>;
}

const NAMES: Names = { of: (ids) => new Map(ids.map((id) => [id, `Name of ${id}`])) };

describe('Answers', () => {
  it('asks whoever answers, whoever came first', () => {
    const answers = new Answers();
    const names = answers.ask(Names);
    answers.give(Names, NAMES);
    expect(names().of(['a'])).toEqual(new Map([['a', 'Name of a']]));
    expect(() => {
      answers.check();
    }).not.toThrow();
  });

  it('refuses a question that nobody answers', () => {
    const answers = new Answers();
    const names = answers.ask(Names);
    expect(() => {
      answers.check();
    }).toThrow('No module answers the question Names');
    expect(names).toThrow('No module answers the question Names');
  });

  it('answers otherwise while nobody does', () => {
    const answers = new Answers();
    const names = answers.ask(Names, { of: () => new Map() });
    expect(() => {
      answers.check();
    }).not.toThrow();
    expect(names().of(['a'])).toEqual(new Map());
    answers.give(Names, NAMES);
    expect(names().of(['a'])).toEqual(new Map([['a', 'Name of a']]));
  });

  it('refuses a second answer', () => {
    const answers = new Answers();
    answers.give(Names, NAMES);
    expect(() => {
      answers.give(Names, NAMES);
    }).toThrow('Two modules answer the question Names');
  });
});
