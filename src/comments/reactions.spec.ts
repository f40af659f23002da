import { askedReactions, namesTooFew, SHOWN, withoutReaction, withReaction } from './reactions.js';

const reactedAt = new Date(0);
const thumb = (user: string) => ({ key: '👍', emoji: '1f44d', user, reactedAt });

describe('reactions', () => {
  it('are asked for by emoji, whatever their spelling', () => {
    const asked = askedReactions({ addedReactions: ['1f44d', '👍', '❤️'], removedReactions: ['❤', '❤️'] });
    expect([...asked.add]).toEqual([
      ['👍', '1f44d'],
      ['❤', '❤️'],
    ]);
    expect([...asked.remove]).toEqual(['❤']);
    expect(askedReactions({})).toEqual({ add: new Map(), remove: new Set() });
  });

  it('are grouped by emoji, which goes with its last reaction', () => {
    const one = withReaction([], thumb('ann'));
    const two = withReaction(one, { ...thumb('bob'), emoji: '👍' });
    expect(two).toEqual([
      {
        key: '👍',
        emoji: '1f44d',
        count: 2,
        users: [
          { user: 'ann', reactedAt },
          { user: 'bob', reactedAt },
        ],
      },
    ]);
    expect(withoutReaction(two, '👍', 'ann')).toMatchObject([{ count: 1, users: [{ user: 'bob' }] }]);
    expect(withoutReaction(one, '👍', 'ann')).toEqual([]);
    expect(withoutReaction(one, '❤', 'ann')).toEqual(one);
  });

  it('name the first people, and tell when more could be named', () => {
    let groups = withReaction([], thumb('user0'));
    for (let index = 1; index <= SHOWN; index++) groups = withReaction(groups, thumb(`user${index}`));
    const [group] = groups;
    if (!group) throw new Error('there is no group');
    expect([group.count, group.users.length, namesTooFew(group)]).toEqual([SHOWN + 1, SHOWN, false]);
    expect(withoutReaction(groups, '👍', `user${SHOWN}`).map(namesTooFew)).toEqual([false]);
    expect(withoutReaction(groups, '👍', 'user3').map(namesTooFew)).toEqual([true]);
  });
});
