import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import { SpaceView } from './space.view.js';

/** A space, and what a member may do in it. */
export class MemberSpaceView {
  /** The effective role of the member. */
  permission!: Role;
  /** The space, with the permissions of whoever asks. */
  space!: SpaceView;
}

export class MemberSpacePage extends PageOf(MemberSpaceView) {}
