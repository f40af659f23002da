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
