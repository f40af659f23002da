import { placesOfSpaces } from './0001-places-of-spaces.js';
import { indexesAnew } from './0002-indexes-anew.js';
import { namesOfMembers } from './0003-names-of-members.js';
import type { Migration } from './migration.js';

/** Every migration, oldest first. A file each: `0001-what-it-does.ts`. */
export const migrations: readonly Migration[] = [placesOfSpaces, indexesAnew, namesOfMembers];
