import type { Visitor } from '../auth/index.js';
import type { Member } from '../organizations/index.js';
import type { Space } from './space.schema.js';

/** Who looks at what is published. */
export interface Audience {
  /** The visitor of a site; `null`: a person. */
  visitor: Visitor | null;
  /** The membership of that person in the organization of what is looked at; `null`: a stranger. */
  member: Member | null;
  /** The secret of a share link that came with the request (decision 5.10). */
  shareKey?: string;
}

/** How the published sites that carry a space show it. */
export interface Publication {
  /** The widest among those sites (decision 3.27). */
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
  /** Where the first of them shows it (decision 3.34); absent where that takes a share key that was not given. */
  published?: string;
  /** Where everybody can read it. */
  public?: string;
  /** How visitors sign in to the site among them that asks them to (decision 3.32). */
  visitorAuth?: { backend: 'custom' | 'integration'; integration?: string };
}

/** What spaces ask about the published sites that carry them; sites answer. */
export abstract class Publications {
  /** Those of the spaces `ids` that a published site carries. The number of queries does not depend on how many they are. */
  abstract of(ids: readonly string[], audience: Audience): Promise<Map<string, Publication>>;

  /** Whether a published site that carries `space` lets `audience` read it (decisions 3.5 and 5.10). */
  abstract admits(space: Pick<Space, '_id' | 'organization'>, audience: Audience): Promise<boolean>;
}
