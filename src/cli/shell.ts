import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config/index.js';

/** Runs a command's work on the application's services and closes them afterwards. */
export type Runner = (
  work: (app: INestApplicationContext, config: Config) => Promise<void>,
  /** `prepare: false`: the database is taken in the form that it has. `begin`: it may be a new one. */
  options?: { prepare?: boolean; begin?: boolean },
) => Promise<void>;

/** What a command works with. */
export interface Shell {
  run: Runner;
  /** Writes a line for the person at the terminal. */
  say: (line: string) => void;
  /** Has the command end with status 1, when its work is done. */
  fail: () => void;
}
