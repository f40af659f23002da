import type { User } from '../users/index.js';
import type { Visitor } from './actor.js';

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

/** What every request asks about a bearer token that is no person's; sites answer. */
export abstract class SiteTokens {
  /**
   * Who reads with `token`; `null` when it is none of a site's, expired, or no longer good: its site is not published any
   * more, or the share link that it came by is not active (decision 6.5). Reads nothing for tokens of other kinds.
   */
  abstract visitor(token: string): Promise<Omit<Visitor, 'token'> | null>;
}
