import { owned, type Rule } from '../database/index.js';

/** What of translations goes where an organization goes. */
export const TRANSLATION_RECORDS: readonly Rule[] = [owned('translation_settings')];
