import { readFileSync } from 'node:fs';

/** Ticks of the kernel's clock in a second, on every Linux that Node.js runs on. */
const TICKS = 100;

/** Seconds of processor time that this thread has had: what others use does not count. */
function processorTime(): number | undefined {
  try {
    const fields = readFileSync('/proc/thread-self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
}

/**
 * Begins to measure; answers the seconds that this thread has worked since. They do not grow because the machine is busy, nor
 * by what other files of tests do in the same process. Where the system does not tell (it is no Linux), they are those on the clock.
 */
export function measure(): () => number {
  const [began, start] = [processorTime(), performance.now()];
  return () => {
    const now = processorTime();
    return began === undefined || now === undefined ? (performance.now() - start) / 1000 : now - began;
  };
}
