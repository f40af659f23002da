import type { Thing, World } from './world.js';

/** A list as a whole. */
export const ALL = '?limit=1000';

/** What stands in paths of sites and their parts; `param` names the part. */
export const at = (w: World, thing: Thing, param?: string): Record<string, string> => ({
  organizationId: w.organization,
  siteId: thing.note.site ?? thing.id,
  ...(param !== undefined && { [param]: thing.id }),
});

/** Where the site of `thing` is read. */
export const siteOf = (w: World, thing: Thing): string => `${w.home}/sites/${thing.note.site ?? ''}`;
