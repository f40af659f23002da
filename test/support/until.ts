import { setTimeout as wait } from 'node:timers/promises';

/** Longest that anything is waited for, in ms: what takes a moment may take many on a busy machine. */
const PATIENCE = 60_000;

/** Resolves when `holds` answers true, asked again and again. @throws Error after a minute, with `what`. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not happen: ${what}`);
    await wait(10);
  }
}
