import { apart, type Rule } from '../database/index.js';

/** None of it goes where an organization goes. */
export const JOB_RECORDS: readonly Rule[] = [apart('jobs', 'they are of the installation')];
