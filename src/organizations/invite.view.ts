import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import { isRedundant } from './invite.policy.js';
import type { LinkInvite } from './link-invite.schema.js';
import type { Member } from './member.schema.js';
import type { InvitedSpace } from './questions.js';

/** An invitation link, as the API returns it: to the organization with `role`, or to a space with `level` and `space`. */
export class InviteView {
  object!: 'invite';
  /** The secret of the link. */
  id!: string;
  /** Role in the organization; `null`: guest. */
  role?: Role | null;
  /** Level in the space; `null`: no access. */
  level?: Role | null;
  /** The space. */
  @ApiPropertyOptional({ allOf: [{ $ref: '#/components/schemas/SpaceView' }] })
  space?: object;
  /** Whether the caller already has at least what the link gives. */
  redundant!: boolean;
}

export class InvitePage extends PageOf(InviteView) {}

/** Somebody who was invited and has no account yet. */
export class InvitationView {
  email!: string;
  /** Id of the person to be. */
  user!: string;
  /** To be given as `invite` at the registration with this address. Pass it on: it is shown this once. */
  invite!: string;
}

/** What became of invitations by e-mail address. */
export class InvitationsView {
  /** Ids of the people who were added. */
  users!: string[];
  /** How many were added. */
  invited!: number;
  /** Addresses whose accounts sign in otherwise: members without single sign-on until an administrator trusts it. */
  failedSSOEmails?: string[];
  invitations!: InvitationView[];
}

/** What joining answers: nothing. */
export class JoinedView {}

/**
 * Shapes `invite` for the caller whose membership is `viewer` (`null`: a stranger); `space` is what it invites to, where
 * that is a space.
 */
export function toInvite(invite: LinkInvite, viewer: Member | null, space?: InvitedSpace): InviteView {
  const isOfSpace = invite.space !== null;
  return {
    object: 'invite',
    id: invite._id,
    ...(isOfSpace ? { level: invite.role, ...(space && { space: space.space }) } : { role: invite.role }),
    redundant: isRedundant(invite, viewer, space),
  };
}
