import { apart, type Rule } from '../database/index.js';

/** None of it goes where an organization goes. */
export const AUTH_RECORDS: readonly Rule[] = [
  apart('tokens', 'tokens are of people, and of the installation that has made them'),
  apart('sign_in_failures', 'they are of accounts and addresses'),
  apart('rate_counts', 'they are of tokens and addresses, and of the last minutes'),
];
