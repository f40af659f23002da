import { evaluateRules, isListOfUsers, type MergeFacts, type MergeRule, mistakeInRules } from './merge-rules.js';

const facts = (given: Partial<MergeFacts> = {}): MergeFacts => ({
  verdicts: new Map(),
  outdated: false,
  subject: 'Subject',
  ...given,
});
const said = (approving: string[], against: string[] = []): MergeFacts =>
  facts({
    verdicts: new Map([
      ...approving.map((user) => [user, 'approved'] as const),
      ...against.map((user) => [user, 'changes-requested'] as const),
    ]),
  });

describe('a merge rule', () => {
  const two: MergeRule = { kind: 'approvals', count: 2 };
  const any: MergeRule = { kind: 'reviewers', users: ['ann', 'bob'], match: 'any' };
  const all: MergeRule = { kind: 'reviewers', users: ['ann', 'bob'], match: 'all' };
  const approving: MergeRule = { kind: 'all-approve' };
  const current: MergeRule = { kind: 'up-to-date' };
  const named: MergeRule = { kind: 'subject-present' };

  it.each<[string, MergeRule, MergeFacts, boolean, string]>([
    ['none of two', two, said([], ['cid']), false, '2 approvals are needed: ask 2 more people to approve'],
    ['one of two', two, said(['ann'], ['cid']), false, '2 approvals are needed: ask 1 more person to approve'],
    ['two of two', two, said(['ann', 'bob'], ['cid']), true, '2 approvals are needed and given'],
    ['more than two', two, said(['ann', 'bob', 'cid']), true, '2 approvals are needed and given'],
    ['one of one', { kind: 'approvals', count: 1 }, said(['ann']), true, '1 approval is needed and given'],
    ['no review', approving, said([]), true, 'Nobody asks for changes'],
    ['approvals', approving, said(['ann', 'bob']), true, 'Nobody asks for changes'],
    [
      'one against',
      approving,
      said(['ann'], ['bob']),
      false,
      'Settle the changes that were requested, and have these people review again: bob',
    ],
    ['nobody named', any, said(['cid']), false, 'Have one of these people approve: ann, bob'],
    ['one named', any, said(['bob'], ['ann']), true, 'The people that the rule names approve'],
    ['not all named', all, said(['bob', 'cid'], ['ann']), false, 'Have these people approve: ann'],
    ['all named', all, said(['bob', 'ann']), true, 'The people that the rule names approve'],
    ['current content', current, facts(), true, 'It is up to date'],
    ['outdated content', current, facts({ outdated: true }), false, 'Update it first: the space has newer content'],
    ['a subject', named, facts(), true, 'It has a subject'],
    ['no subject', named, facts({ subject: '' }), false, 'Give it a subject'],
    ['a blank subject', named, facts({ subject: ' \t' }), false, 'Give it a subject'],
  ])('with %s: %j', (_case, rule, given, passed, message) => {
    expect(evaluateRules([rule], given)).toEqual([{ rule, passed, message }]);
  });

  it('names a few of many people', () => {
    const users = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const [result] = evaluateRules([{ kind: 'reviewers', users, match: 'all' }], facts());
    expect(result?.message).toBe('Have these people approve: a, b, c, d, e and 2 more');
  });

  it('stands beside others, in their order', () => {
    expect(evaluateRules([named, two, current], facts()).map(({ passed }) => passed)).toEqual([true, false, true]);
    expect(evaluateRules([], facts())).toEqual([]);
  });
});

describe('the rules of a body', () => {
  it.each([
    [[]],
    [[{ kind: 'approvals', count: 1 }, { kind: 'all-approve' }, { kind: 'up-to-date' }, { kind: 'subject-present' }]],
    [[{ kind: 'reviewers', users: ['ann'], match: 'all' }]],
    [Array<unknown>(20).fill({ kind: 'up-to-date' })],
  ])('are well: %j', (rules) => {
    expect(mistakeInRules(rules)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [undefined, 'rules must be a list of at most 20'],
    [{}, 'rules must be a list of at most 20'],
    [Array<unknown>(21).fill({ kind: 'up-to-date' }), 'rules must be a list of at most 20'],
    [[{ kind: 'up-to-date' }, null], 'rules.1 must be an object'],
    [[[]], 'rules.0 must be an object'],
    [[{}], 'rules.0.kind must be one of: approvals, all-approve, reviewers, up-to-date, subject-present'],
    [
      [{ kind: 'constructor' }],
      'rules.0.kind must be one of: approvals, all-approve, reviewers, up-to-date, subject-present',
    ],
    [[{ kind: 'up-to-date', count: 1 }], 'rules.0 must have no "count"'],
    [[{ kind: 'approvals', count: 1, $where: 1 }], 'rules.0 must have no "$where"'],
    [[{ kind: 'approvals' }], 'rules.0.count must be a whole number from 1 to 50'],
    [[{ kind: 'approvals', count: 0 }], 'rules.0.count must be a whole number from 1 to 50'],
    [[{ kind: 'approvals', count: 51 }], 'rules.0.count must be a whole number from 1 to 50'],
    [[{ kind: 'approvals', count: 1.5 }], 'rules.0.count must be a whole number from 1 to 50'],
    [[{ kind: 'approvals', count: '1' }], 'rules.0.count must be a whole number from 1 to 50'],
    [[{ kind: 'reviewers', match: 'any' }], 'rules.0.users must be 1 to 50 ids of people, each once'],
    [[{ kind: 'reviewers', users: [], match: 'any' }], 'rules.0.users must be 1 to 50 ids of people, each once'],
    [[{ kind: 'reviewers', users: [1], match: 'any' }], 'rules.0.users must be 1 to 50 ids of people, each once'],
    [
      [{ kind: 'reviewers', users: ['ann', 'ann'], match: 'any' }],
      'rules.0.users must be 1 to 50 ids of people, each once',
    ],
    [[{ kind: 'reviewers', users: ['ann'] }], 'rules.0.match must be one of: all, any'],
  ])('are not well: %j', (rules, mistake) => {
    expect(mistakeInRules(rules)).toBe(mistake);
  });

  it('name people by their ids, each once', () => {
    expect(isListOfUsers(['ann', 'bob'], 2)).toBe(true);
    expect(isListOfUsers([], 2)).toBe(true);
    for (const list of [undefined, 'ann', ['a', 'b', 'c'], ['ann', 'ann'], [{ $ne: '' }], ['']]) {
      expect(isListOfUsers(list, 2)).toBe(false);
    }
  });
});
