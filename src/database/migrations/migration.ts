import type { Connection } from 'mongoose';

/** A change of stored records; `up` may run again on what it already changed. */
export interface Migration {
  /** `0001-what-it-does`: they run in the order of their names. */
  name: string;
  up(db: NonNullable<Connection['db']>): Promise<void>;
}
