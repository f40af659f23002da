import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newId } from '../common/ids.js';
import { Database } from '../database/index.js';
import { WriteTurn } from './write-turn.schema.js';

/** How long a turn counts, ms: some edits long. */
const TURN = 2000;
/** How often it is looked whether a turn is over, ms. */
const LOOK = 10;

/**
 * Turns among processes that write to one space. Whoever keeps losing the race for it asks for a turn, and the others
 * hold back for as long: otherwise a process whose edits follow each other closely could keep all others out. It is a
 * courtesy and decides nothing, so that one that is forgotten, or not seen, does no harm.
 */
@Injectable()
export class WriteTurns {
  /** This process. */
  private readonly holder = newId();

  private readonly bySpace: (space: string) => Promise<WriteTurn | null>;

  constructor(
    @InjectModel(WriteTurn.name) private readonly turns: Model<WriteTurn>,
    database: Database,
  ) {
    this.bySpace = database.finder(turns);
  }

  /** Holds back while another process has a turn in `space`, for two seconds at the most. */
  async holdBack(space: string): Promise<void> {
    const started = Date.now();
    while (Date.now() - started < TURN && (await this.isTaken(space))) await wait(LOOK);
  }

  /** Asks for a turn in `space`; answers whether this process has it. */
  async ask(space: string): Promise<boolean> {
    const turn = { holder: this.holder, until: new Date(Date.now() + TURN) };
    // one that is over is taken over; one that counts does not match, and cannot be inserted a second time
    const free = { _id: space, until: { $lte: new Date() } };
    const { matchedCount } = await this.turns.updateOne(free, { $set: turn });
    if (matchedCount > 0) return true;
    try {
      await this.turns.create([{ _id: space, ...turn }]);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code === 11000) return false;
      throw error;
    }
  }

  /** Gives the turn back. */
  async done(space: string): Promise<void> {
    await this.turns.deleteOne({ _id: space, holder: this.holder });
  }

  private async isTaken(space: string): Promise<boolean> {
    const turn = await this.bySpace(space);
    return turn !== null && turn.holder !== this.holder && turn.until.getTime() > Date.now();
  }
}
