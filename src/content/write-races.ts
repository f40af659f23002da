import { ConflictException, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { KeyedLock } from '../common/keyed-lock.js';
import { WriteTurns } from './write-turns.js';

/** How often a write is done again on what somebody else wrote meanwhile. */
const ATTEMPTS = 20;
/** After how many lost races, beside the first, other processes are asked to hold back. */
const PATIENCE = 2;

/** What is written to: its id, and what messages call it. */
export interface Contested {
  id: string;
  name: 'change request' | 'space';
}

/** Lets those who write to one thing do so one after the other, and tries again where another process came first. */
@Injectable()
export class WriteRaces {
  private readonly lock = new KeyedLock();

  constructor(private readonly turns: WriteTurns) {}

  /**
   * Runs `attempt` until it answers something else than `undefined`, which says that somebody else moved the pointer.
   *
   * @throws ConflictException when others kept winning.
   */
  async run<T>({ id, name }: Contested, attempt: () => Promise<T | undefined>): Promise<T> {
    return this.lock.run(id, async () => {
      let hasTurn = false;
      try {
        for (let lost = 0; lost < ATTEMPTS; lost += 1) {
          await this.turns.holdBack(id);
          const won = await attempt();
          if (won !== undefined) return won;
          await wait(Math.random() * 10 * lost);
          if (lost >= PATIENCE && !hasTurn) hasTurn = await this.turns.ask(id);
        }
      } finally {
        // what was written has happened; a turn that nobody gives back ends by itself
        if (hasTurn) await this.turns.done(id).catch(() => undefined);
      }
      throw new ConflictException(`Others kept editing this ${name} at the same moment; try again`);
    });
  }
}
