/** Length of the windows in which is counted, in ms. They begin with the minutes of the clock, so that all processes have the same. */
export const WINDOW = 60_000;

/** The number of the window at `now`, in ms since 1970. */
export const windowOf = (now: number): number => Math.floor(now / WINDOW);

/** What one key has left in the present window. */
export interface Share {
  remaining: number;
  /** When the window ends, in ms since 1970. */
  resetsAt: number;
}

/** What became of a request. */
export interface Spent extends Share {
  /** Whether it was counted: nothing was left otherwise. */
  counted: boolean;
}

/** What was let through here for one key and is to be told to the other processes. */
export interface Due {
  key: string;
  /** Number of the window since 1970. */
  window: number;
  /** How many. */
  count: number;
}

/** What is known of one key in the present window. */
interface Count {
  /** Let through in all processes, as far as is known here. */
  shared: number;
  /** Let through here and not told yet. */
  pending: number;
}

/** Counts what is let through for each key in windows of a minute, and learns what other processes have counted. */
export class Tally {
  private window = 0;
  private counts = new Map<string, Count>();
  /** Those of which something is to be told. */
  private untold = new Set<string>();

  /** @param limit How many each key has in a window. */
  constructor(readonly limit: number) {}

  /** What `key` has left at `now`, in ms since 1970. */
  share(key: string, now: number): Share {
    this.turn(now);
    const count = this.counts.get(key);
    const used = count ? count.shared + count.pending : 0;
    return { remaining: Math.max(0, this.limit - used), resetsAt: (this.window + 1) * WINDOW };
  }

  /** Counts one for `key`, unless nothing is left: what is refused is counted nowhere. Answers what is left after it. */
  spend(key: string, now: number): Spent {
    const share = this.share(key, now);
    if (share.remaining === 0) return { ...share, counted: false };
    this.countOf(key).pending += 1;
    this.untold.add(key);
    return { ...share, remaining: share.remaining - 1, counted: true };
  }

  /** What is to be told, `most` of it: first that of which there is most. */
  due(now: number, most: number): Due[] {
    this.turn(now);
    const { window } = this;
    const due = [...this.untold].map((key) => ({ key, window, count: this.counts.get(key)?.pending ?? 0 }));
    return due.length <= most ? due : due.sort((one, other) => other.count - one.count).slice(0, most);
  }

  /** Whether anything is to be told. */
  hasDue(now: number): boolean {
    this.turn(now);
    return this.untold.size > 0;
  }

  /** Learns that all processes together have counted `total` for the key. What was told of it, `count`, is part of that. */
  learn({ key, window, count }: Due, total: number): void {
    if (window !== this.window) return;
    const known = this.countOf(key);
    known.pending -= count;
    known.shared = Math.max(known.shared, total);
    if (known.pending === 0) this.untold.delete(key);
  }

  private countOf(key: string): Count {
    const count = this.counts.get(key) ?? { shared: 0, pending: 0 };
    this.counts.set(key, count);
    return count;
  }

  /** Forgets a window that is over, whole. */
  private turn(now: number): void {
    const window = windowOf(now);
    if (window === this.window) return;
    this.window = window;
    this.counts = new Map();
    this.untold = new Set();
  }
}
