import { Injectable } from '@nestjs/common';

/** Something stored that does not agree with something else stored. */
export interface Problem {
  /** What it is about: `space 7Hq…`. */
  where: string;
  /** What is wrong, in a sentence. */
  what: string;
  /** Puts it right, where that can be done without losing anything. */
  repair?: () => Promise<void>;
}

/** Finds the problems of one kind, a bounded number of records at a time. */
export type Invariant = () => AsyncIterable<Problem>;

/** What must hold between stored records. Each module adds what it answers for; `doctor` checks all of it. */
@Injectable()
export class Invariants {
  private readonly all = new Map<string, Invariant>();

  /** Adds the invariant `name`, a short sentence that holds when all is well. */
  add(name: string, invariant: Invariant): void {
    this.all.set(name, invariant);
  }

  /** Every invariant with its name, in the order in which they were added. */
  entries(): [string, Invariant][] {
    return [...this.all];
  }
}
