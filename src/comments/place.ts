import type { Role } from '../common/roles.js';

/** Where comments belong: to the primary content of a space, or (`changeRequest`) to one of its change requests. */
export interface Place {
  space: string;
  /** Id of the change request; `null`: primary content. */
  changeRequest: string | null;
}

/** The filter of the comments of `place`, and of no other (decision 5.43). */
export const ofPlace = ({ space, changeRequest }: Place): Place => ({ space, changeRequest });

/** Who reads or writes comments. */
export interface Viewer {
  user: string;
  /** Effective role in the space. */
  role: Role | null;
}

/** A place with the content that comments there are about, and who looks at it. */
export interface Discussion extends Place {
  /** Id of the revision that is commented on: the newest one of the place. */
  revision: string;
  /** Id of the revision that is primary content. */
  primary: string;
  /** Id of the newest revision of primary content that the place took in: what it lacks, primary content never had. */
  known: string;
  viewer: Viewer;
}
