import { apart, type Rule } from '../database/index.js';

/** None of it goes where an organization goes. */
export const IDEMPOTENCY_RECORDS: readonly Rule[] = [apart('idempotency_keys', 'they are of people, for a day')];
