import { people, type Rule, type Stored } from '../database/index.js';
import type { User } from './user.schema.js';

/** What of people goes where an organization goes. */
export const USER_RECORDS: readonly Rule[] = [
  people<User>('users', { knownBy: 'email', displayName: 'displayName', held: 'joins', taken }),
];

/** No password, and nobody's word that the address is theirs: neither is for others to bring along. */
function taken({ _id, email, displayName, photoURL, placeholder, createdAt, updatedAt }: Stored): User {
  if (typeof _id !== 'string' || typeof email !== 'string' || email !== email.toLowerCase())
    throw new Error(`Somebody has no e-mail address in the form in which they are kept: ${String(_id)}`);
  return {
    _id,
    email,
    displayName: typeof displayName === 'string' ? displayName : email,
    photoURL: typeof photoURL === 'string' ? photoURL : null,
    password: null,
    emailVerified: false,
    placeholder: placeholder === true,
    joins: 0,
    createdAt: dateOf(createdAt),
    updatedAt: dateOf(updatedAt),
  };
}

const dateOf = (value: unknown): Date => (value instanceof Date ? value : new Date());
