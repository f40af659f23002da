const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long is waited after each failed attempt, in ms: about 23 hours in all. */
export const RETRIES: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
];

/** A webhook to which nothing came through for so long is switched off, in ms. */
export const PATIENCE = 72 * HOUR;

/** So many deliveries, given up without one in between that came through, switch a webhook off too. */
export const MAX_GIVEN_UP = 50;

/** So many deliveries for one resource, waiting for one that fails, switch a webhook off as well: what waits has an end. */
export const MAX_WAITING = 10_000;

/** For so long deliveries are kept after they began, in ms. */
export const KEPT = 30 * 24 * HOUR;

/** When a delivery is attempted again after `attempts` have failed, the last at `now`; `null`: it is given up. */
export function retryAt(attempts: number, now: Date): Date | null {
  const delay = RETRIES[attempts - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay);
}
