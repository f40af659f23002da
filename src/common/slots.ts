/** Lets so many pieces of work run at a time, and the others wait for their turn. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Runs `work` when there is room; answers or throws what it does. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // whoever waits takes over the room
      if (next) next();
      else this.free += 1;
    }
  }
}
