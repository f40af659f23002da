import { owned, type Rule } from '../database/index.js';

/** What of teams goes where an organization goes; who belongs to them stands with the members. */
export const TEAM_RECORDS: readonly Rule[] = [owned('teams')];
