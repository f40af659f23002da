import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** What failed sign-ins are counted by. */
export interface Counted {
  /** What the record of it is found by. */
  key: string;
  /** Failures after which each further one costs a wait. */
  free: number;
}

/** Failures after which an account rests; people mistype. */
const FREE_OF_ACCOUNT = 5;
/** Failures after which an address rests; a whole office may share one. */
const FREE_OF_ADDRESS = 20;

/** The first wait, in ms; each further one is twice as long. */
const FIRST_WAIT = 1000;
/** The longest wait, in ms: whoever wants to lock somebody out has to come back as often. */
export const LONGEST_WAIT = 5 * 60 * 1000;
/** How long failures are remembered after the last, in ms. */
export const MEMORY = 60 * 60 * 1000;

/** How long nobody is let try again after the `failures`-th failure, in ms. */
export function waitAfter(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - free));
}

/** What an attempt to sign in to the account of `email` from `address` is counted by. */
export function countedBy(email: string, address: string): { account: Counted; address: Counted } {
  return {
    account: { key: keyOf('account', email.toLowerCase()), free: FREE_OF_ACCOUNT },
    address: { key: keyOf('address', networkOf(address)), free: FREE_OF_ADDRESS },
  };
}

/** The part of `address` that one customer has: of IPv6 the first 64 bits. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

const keyOf = (kind: string, value: string): string =>
  createHash('sha256').update(`${kind} ${value}`).digest('base64url');
