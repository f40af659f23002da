import { atLeast } from '../common/roles.js';
import type { LinkInvite } from './link-invite.schema.js';
import type { Member } from './member.schema.js';
import type { InvitedSpace } from './questions.js';

/**
 * Whether somebody with the membership `member` (`null`: a stranger) has at least what `invite` gives; `space` is the
 * space that it invites to, as they see it (decision 3.44).
 */
export function isRedundant(
  invite: Pick<LinkInvite, 'space' | 'role'>,
  member: Pick<Member, 'role'> | null,
  space?: Pick<InvitedSpace, 'role'>,
): boolean {
  if (!member) return false;
  const present = invite.space === null ? member.role : (space?.role ?? null);
  return invite.role === null || atLeast(present, invite.role);
}
