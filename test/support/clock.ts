const MINUTE = 60_000;

/**
 * Moves `Date.now()` of this process on to the start of a minute, so that what is counted by minutes is not parted by the end of
 * one. Answers how to put it back.
 */
export function startMinute(): () => void {
  const now = Date.now;
  const ahead = MINUTE - (now() % MINUTE);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  return () => {
    clock.mockRestore();
  };
}

/** Runs `work` while `performance.now()` of this thread runs ahead by as much as it says with `moveOn`, in ms. */
export async function onMovedClock(work: (moveOn: (ms: number) => void) => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance);
  let ahead = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  try {
    await work((ms) => {
      ahead += ms;
    });
  } finally {
    clock.mockRestore();
  }
}
