import type { Role } from '../common/roles.js';
import type { Member } from './member.schema.js';

/** What organizations ask about the spaces of their members; spaces answer. */
export abstract class MemberSpaces {
  /**
   * How many spaces of `organization`, without those in the trash, each of `members` has an effective role in, by user
   * (decision 3.45). The number of queries does not depend on how many members there are.
   */
  abstract count(organization: string, members: readonly Member[]): Promise<Map<string, number>>;
}

/** A space that a link invites to, as somebody sees it. */
export interface InvitedSpace {
  /** The space, as the API returns it. */
  space: object;
  /** The effective role of whoever looks; `null`: none. */
  role: Role | null;
}

/** What organizations ask about spaces that links invite to; spaces answer. */
export abstract class InvitedSpaces {
  /**
   * Those of `spaces` that belong to `organization`, by id, as somebody with the membership `viewer` sees them (`null`: a
   * stranger). Those in the trash are left out.
   */
  abstract see(
    organization: string,
    spaces: readonly string[],
    viewer: Member | null,
  ): Promise<Map<string, InvitedSpace>>;

  /**
   * Gives `user` a direct permission on `space`; joins a surrounding transaction.
   * @throws ConflictException when the space has as many as it can.
   */
  abstract admit(space: string, user: string, level: Role | null): Promise<void>;
}

/** What organizations ask about single sign-on; its module answers. */
export abstract class ActiveProviders {
  /** Those of `organizations` that have an active identity provider (decision 3.47). One read. */
  abstract among(organizations: readonly string[]): Promise<Set<string>>;
}

/** What organizations ask about their sites; sites answer. */
export abstract class OwnSites {
  /**
   * Has `site` stay until the surrounding transaction is over.
   * @returns `false` when it is no site of `organization`.
   */
  abstract hold(organization: string, site: string): Promise<boolean>;
}
