import { NO_CLAIMS, type VisitorClaims } from '../conditions/index.js';
import type { Space, SpaceAccess } from '../spaces/index.js';

/**
 * Who reads content. `author`: somebody with a role in the space. `audience`: somebody whom a published site lets in, who
 * is told of nothing that was not published. `renderer`: the same with the token of that site, for showing its pages.
 */
export type ReaderKind = 'author' | 'audience' | 'renderer';

/** Who reads what a change request may have become, and the space as it is now. */
export interface Reader {
  /** `null`: somebody for whom there are no change requests. */
  user: string | null;
  space: Pick<Space, '_id' | 'revision' | 'holds'>;
}

/** What the caller is who has `access` to a space. */
export function readerKind({ audience, admitted }: SpaceAccess): ReaderKind {
  if (audience.visitor) return 'renderer';
  return admitted ? 'audience' : 'author';
}

/**
 * What conditions in texts read of the caller who has `access` to a space; `null`: they are not applied. They are for authors,
 * and for visitors of a site that shows everything to everybody. Of an audience without a visitor's token nothing is known.
 */
export function claimsOf({ audience, admitted }: SpaceAccess): VisitorClaims | null {
  if (audience.visitor) return audience.visitor.claims;
  return admitted ? NO_CLAIMS : null;
}

/** The caller who has `access` to a space, as change requests see them. */
export function readerOf({ space, member, admitted }: SpaceAccess): Reader {
  return { space, user: admitted ? null : (member?.user ?? null) };
}
