import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import { UserView } from '../users/index.js';
import type { Member } from './member.schema.js';

/** Somebody who belongs to an organization, as the API returns them. */
export class MemberView {
  object!: 'member';
  /** Id of the person. */
  id!: string;
  /** `null`: a guest. */
  role!: Role | null;
  user?: UserView;
  /** Treated as no member. */
  disabled!: boolean;
  /** ISO 8601, UTC. */
  joinedAt!: string;
  /** ISO 8601, UTC; absent until the first ping. */
  lastSeenAt?: string;
  /** Whether the identity provider of the organization is trusted for this person. */
  sso!: boolean;
  /** Number of spaces with an effective role. */
  spaces!: number;
  /** Number of teams. */
  teams!: number;
}

export class MemberPage extends PageOf(MemberView) {}

/** What a ping answers: nothing. */
export class PingView {
  /** Not produced. */
  serviceVisitorClaims?: string;
}

/** Shapes `member`, who has an effective role in `spaces` spaces. */
export function toMember(member: Member, user: UserView | undefined, spaces: number): MemberView {
  return {
    object: 'member',
    id: member.user,
    role: member.role,
    ...(user && { user }),
    disabled: member.disabled,
    joinedAt: member.joinedAt.toISOString(),
    ...(member.lastSeenAt && { lastSeenAt: member.lastSeenAt.toISOString() }),
    sso: member.sso,
    spaces,
    teams: member.teams.length,
  };
}
