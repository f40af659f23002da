import type { User } from '../users/index.js';

/** What an invitation lets somebody do who registers with it. */
export interface Admission {
  /** The placeholder that was invited; `null`: whoever has the link may come. */
  user: string | null;
  /** Makes `user`, who has just registered, a member, and uses the invitation up; joins a surrounding transaction. */
  accept(user: string): Promise<void>;
}

/** What registration asks about invitations; organizations answer. */
export abstract class Invitations {
  /**
   * What the invitation with the secret `secret` lets somebody with the address `email` do; `null` when there is none for
   * them. @throws ForbiddenException for a link of an organization whose links are switched off.
   */
  abstract find(secret: string, email: string): Promise<Admission | null>;

  /** Whether nobody counts on `placeholder` any more: it belongs to no organization. */
  abstract isForgotten(placeholder: User): Promise<boolean>;
}

/** What sign-in asks about organizations that demand single sign-on; organizations answer. */
export abstract class SignInRules {
  /** The title of an organization that does not let `user` in by password (decision 3.42); `null`: there is none. */
  abstract enforcedOn(user: string): Promise<string | null>;
}
