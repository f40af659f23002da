import { CODES, EngineError } from '../errors.js';
import type { Catalogue, Collection, Holder } from './catalogue.js';
import { outOfSpace, type Environment } from './environment.js';

/** Thrown by a write that has met something held by an open transaction: it runs again when that is over. */
export class Blocked extends Error {
  constructor(readonly holder: Holder) {
    super('the write waits for a transaction');
  }
}

interface Job {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  deadline: number;
}

type Outcome = { value: unknown } | { error: unknown };

/** Runs writes: all that arrive within one turn of the event loop share one durable commit, and each fails alone. */
export class Writer {
  #queue: Job[] = [];
  #undo: (() => void)[] = [];
  readonly #counted = new Set<Collection>();
  #closed = false;
  /** The number of commits so far. */
  sequence = 0;

  constructor(
    readonly environment: Environment,
    readonly catalogue: Catalogue,
  ) {}

  /** Answers what `work` answers, once that is durable. `work` may run several times; until `deadline` (ms since 1970) it waits for what transactions hold. @throws what `work` throws, or EngineError 50. */
  submit<T>(work: () => T, deadline = Infinity): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#enqueue({ work, resolve: resolve as (value: unknown) => void, reject, deadline });
    });
  }

  /** Remembers how to take back, in memory, what the running write changes there. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Notes that the running write changes a collection, and how many documents it adds to it. */
  count(collection: Collection, difference: number): void {
    collection.version++;
    if (difference === 0) return;
    collection.count += difference;
    this.#counted.add(collection);
    this.#undo.push(() => (collection.count -= difference));
  }

  /** Runs what is queued and refuses what comes later. */
  close(): void {
    this.#closed = true;
    this.#run();
  }

  #enqueue(job: Job): void {
    if (this.#closed) job.reject(new EngineError(11600, 'the embedded database is shutting down'));
    else if (this.#queue.push(job) === 1) {
      setImmediate(() => {
        this.#run();
      });
    }
  }

  #run(): void {
    const jobs = this.#queue;
    this.#queue = [];
    if (jobs.length === 0) return;
    try {
      this.#commit(jobs);
    } catch (error) {
      // what fails for all together may succeed for most of them alone
      if (jobs.length === 1) this.#settle(jobs, [{ error: explain(error) }]);
      else for (const job of jobs) this.#runAlone(job);
    }
  }

  #runAlone(job: Job): void {
    try {
      this.#commit([job]);
    } catch (error) {
      this.#settle([job], [{ error: explain(error) }]);
    }
  }

  #commit(jobs: Job[]): void {
    let outcomes: Outcome[];
    this.#undo = [];
    this.#counted.clear();
    try {
      outcomes = this.environment.transaction(() => {
        const results = jobs.map((job) => this.#attempt(job));
        for (const collection of this.#counted) if (!collection.dropped) this.catalogue.saveCounters(collection);
        return results;
      });
    } catch (error) {
      this.#revert(0);
      throw error;
    }
    this.sequence++;
    this.#settle(jobs, outcomes);
  }

  #attempt(job: Job): Outcome {
    const mark = this.#undo.length;
    try {
      return { value: this.environment.transaction(job.work, true) };
    } catch (error) {
      this.#revert(mark);
      return { error: explain(error) };
    }
  }

  #revert(mark: number): void {
    for (const undo of this.#undo.splice(mark).reverse()) undo();
  }

  #settle(jobs: Job[], outcomes: Outcome[]): void {
    for (const [at, job] of jobs.entries()) {
      const outcome = outcomes[at];
      if (!outcome) continue;
      if ('value' in outcome) job.resolve(outcome.value);
      else if (outcome.error instanceof Blocked) this.#park(job, outcome.error.holder);
      else job.reject(outcome.error);
    }
  }

  #park(job: Job, holder: Holder): void {
    let waiting = true;
    const wait = job.deadline - Date.now();
    const giveUp = (): void => {
      waiting = false;
      job.reject(new EngineError(CODES.MaxTimeMSExpired, 'operation exceeded time limit'));
    };
    if (wait <= 0) {
      giveUp();
      return;
    }
    const timer = wait === Infinity ? undefined : setTimeout(giveUp, wait);
    holder.onEnd(() => {
      clearTimeout(timer);
      if (waiting) this.#enqueue(job);
    });
  }
}

// LMDB reports a write that the disk took only a part of as an input/output error
const FULL = /MDB_MAP_FULL|MDB_TXN_FULL|No space left|ENOSPC|EDQUOT|File too large|Input\/output error/;

function explain(error: unknown): unknown {
  return error instanceof Error && !(error instanceof EngineError) && FULL.test(error.message)
    ? outOfSpace(`there is no room for the write: ${error.message}`)
    : error;
}
