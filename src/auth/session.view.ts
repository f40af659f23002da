import { UserView } from '../users/index.js';

/** A person who has just signed in. */
export class SessionView {
  user!: UserView;
  /** To be sent as `Authorization: Bearer …`; good for 30 days. */
  token!: string;
}
