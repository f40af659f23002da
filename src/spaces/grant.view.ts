import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import { TeamView } from '../teams/index.js';
import { UserView } from '../users/index.js';

/** A person, and what they may do in a space or collection. */
export class UserPermissionView {
  /** `null`: nothing, whatever the levels above say. */
  permission!: Role | null;
  user!: UserView;
}

export class UserPermissionPage extends PageOf(UserPermissionView) {}

/** A team, and what its members may do in a space or collection. */
export class TeamPermissionView {
  /** `null`: nothing, whatever the levels above say. */
  permission!: Role | null;
  team!: TeamView;
}

export class TeamPermissionPage extends PageOf(TeamPermissionView) {}
