import type { ReactionGroup } from './comment.schema.js';
import { emojiKey } from './emoji.js';

/** Different emoji that one comment or reply has at the most. */
export const MAX_EMOJI = 50;
/** People that are named for each emoji at the most, the caller aside. */
export const SHOWN = 50;

/** A change of reactions that somebody asks for: emoji as they are spelled, by what tells them apart. */
export interface AskedReactions {
  add: ReadonlyMap<string, string>;
  remove: ReadonlySet<string>;
}

/** What a request with these lists of emoji, each of them checked, asks for. */
export function askedReactions({
  addedReactions = [],
  removedReactions = [],
}: {
  addedReactions?: string[];
  removedReactions?: string[];
}): AskedReactions {
  const keyOf = (emoji: string): string => emojiKey(emoji) ?? emoji;
  const add = new Map<string, string>();
  // of several spellings of one emoji the first stays
  for (const emoji of addedReactions) if (!add.has(keyOf(emoji))) add.set(keyOf(emoji), emoji);
  return { add, remove: new Set(removedReactions.map(keyOf)) };
}

/** `groups` with a reaction of `user` more, which is not in them. */
export function withReaction(
  groups: readonly ReactionGroup[],
  { key, emoji, user, reactedAt }: { key: string; emoji: string; user: string; reactedAt: Date },
): ReactionGroup[] {
  const reactor = { user, reactedAt };
  if (!groups.some((group) => group.key === key)) return [...groups, { key, emoji, count: 1, users: [reactor] }];
  return groups.map((group) =>
    group.key === key
      ? {
          ...group,
          count: group.count + 1,
          users: group.users.length < SHOWN ? [...group.users, reactor] : group.users,
        }
      : group,
  );
}

/** `groups` with one reaction of `user` less, which is in them; an emoji that nobody is left with goes. */
export function withoutReaction(groups: readonly ReactionGroup[], key: string, user: string): ReactionGroup[] {
  return groups.flatMap((group) => {
    if (group.key !== key) return [group];
    if (group.count <= 1) return [];
    return [{ ...group, count: group.count - 1, users: group.users.filter((one) => one.user !== user) }];
  });
}

/** Whether more people than `group` names could be named. */
export const namesTooFew = ({ count, users }: ReactionGroup): boolean => users.length < Math.min(count, SHOWN);
