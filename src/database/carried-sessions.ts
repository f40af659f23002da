import mongoose, { type mongo } from 'mongoose';
import { Carried } from '../common/carried.js';

/** What Mongoose keeps for the work of a transaction. */
interface Kept {
  readonly session: mongo.ClientSession;
}

/**
 * Has the session of a transaction follow to every model that is used in it; to be called before the first connection. Mongoose (9.12)
 * would keep it in an AsyncLocalStorage of its own, which Node.js 20 asks about each promise of the process, and an edit makes 2,500:
 * it keeps it in ours. A version that looks elsewhere makes its own, as if this did not exist.
 */
export function carrySessions(): void {
  const kept = new Carried<Kept>();
  const storage = {
    run: <R>(what: Kept, work: () => R): R => kept.run(what, work),
    getStore: (): Kept | undefined => kept.get(),
  };
  Object.assign(mongoose, { transactionAsyncLocalStorage: storage });
  mongoose.set('transactionAsyncLocalStorage', true);
}
