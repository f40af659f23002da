import type { Timestamp } from 'bson';
import { isTagged } from '../bson/types.js';
import { CODES, EngineError, type Document } from '../errors.js';
import type { Collection } from '../store/catalogue.js';
import { Blocked } from '../store/writer.js';
import type { Direct } from '../store/direct.js';
import { Transaction, TRANSIENT } from './transaction.js';
import { View } from './view.js';

const SESSION_LIFETIME = 30 * 60_000;
const TRANSACTION_LIFETIME = 60_000;
/** How long a view may lie unused, and how old it may become, in ms: as long as there is one, the room of what is removed stays taken. */
const VIEW_IDLE = 5 * 60_000;
const VIEW_LIFETIME = 60 * 60_000;
/** Views at a time. */
const MOST_VIEWS = 16;

/** One client session: its last retryable write, and its transaction. */
export class Session {
  lastUsed = Date.now();
  /** The highest transaction number seen. */
  number = -1;
  /** The reply to the write of that number. */
  reply: Promise<Document> | undefined;
  transaction: Transaction | undefined;
  startedAt = 0;
  /** The commit of the transaction of that number, once asked for. */
  commit: Promise<void> | undefined;
  /** What it reads of one moment. */
  view: View | undefined;

  constructor(readonly client: string) {}
}

/** All sessions and their open transactions. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #open = new Map<Transaction, Session>();
  readonly #viewing = new Set<Session>();

  /** `onViewEnd` is told of each view that is over, before its snapshot is given back. */
  constructor(
    readonly direct: Direct,
    readonly onViewEnd: (view: View) => void = () => undefined,
  ) {
    direct.watched = () => this.#open.size > 0;
  }

  /** The session of an id, made at its first use; `client` names who uses it. */
  get(id: string, client: string): Session {
    let session = this.#sessions.get(id);
    if (!session) this.#sessions.set(id, (session = new Session(client)));
    session.lastUsed = Date.now();
    return session;
  }

  /** Answers a write that may be sent twice: the second time what it answered the first. @throws EngineError 225 for a number that is over. */
  once(session: Session, number: number, write: () => Promise<Document>): Promise<Document> {
    if (number < session.number) throw tooOld(number, session);
    if (number === session.number && session.reply) return session.reply;
    this.#advance(session, number);
    const reply = write();
    session.reply = reply;
    // what failed as a whole has changed nothing, and is tried again
    reply.catch(() => {
      if (session.reply === reply) session.reply = undefined;
    });
    return reply;
  }

  /** The transaction that a command belongs to, begun when `start` is set. @throws EngineError 225, 251 or 256 when there is none of that number. */
  enter(session: Session, number: number, start: boolean): Transaction {
    if (number < session.number) throw tooOld(number, session);
    if (start) return this.#begin(session, number);
    if (number === session.number && session.commit) {
      throw new EngineError(
        CODES.TransactionCommitted,
        `Transaction with { txnNumber: ${number} } has been committed.`,
      );
    }
    if (number !== session.number || !session.transaction?.open) throw noSuchTransaction(number);
    return session.transaction;
  }

  #begin(session: Session, number: number): Transaction {
    if (number === session.number) {
      throw new EngineError(117, `Cannot start a transaction at given transaction number ${number}: it is in use`);
    }
    this.#advance(session, number);
    const transaction = new Transaction(this.direct);
    session.transaction = transaction;
    session.startedAt = Date.now();
    this.#open.set(transaction, session);
    transaction.onEnd(() => {
      this.#open.delete(transaction);
      if (this.#open.size === 0) this.#forgetRecent();
    });
    return transaction;
  }

  #advance(session: Session, number: number): void {
    if (number > session.number && !session.commit) session.transaction?.end();
    session.number = number;
    session.reply = undefined;
    session.transaction = undefined;
    session.commit = undefined;
  }

  // snapshots are what a record can be newer than
  #forgetRecent(): void {
    for (const collection of this.direct.writer.catalogue.list()) collection.recent.clear();
  }

  /** Commits; once more, it answers the same. @throws EngineError 251 when there is no such transaction. */
  commit(session: Session, number: number): Promise<void> {
    if (number === session.number && session.commit) return session.commit;
    const transaction = this.enter(session, number, false);
    const commit = this.direct.writer
      .submit(() => {
        transaction.apply();
      })
      .finally(() => {
        transaction.end();
      });
    session.commit = commit;
    commit.catch(() => {
      session.commit = undefined;
    });
    return commit;
  }

  /**
   * The view of a session: that of `time`, or a new one as of now in the place of the one before.
   *
   * @throws EngineError 246 when the view of that time is over, or too many are open.
   */
  view(session: Session, time: unknown): View {
    const { view } = session;
    if (time !== undefined) {
      if (!view || !isSameTime(view.time, time))
        throw unavailable('this session has no snapshot of that time any more');
      return view;
    }
    this.#endView(session);
    if (this.#viewing.size >= MOST_VIEWS) throw unavailable(`${MOST_VIEWS} snapshots are open, no more can be`);
    this.#viewing.add(session);
    return (session.view = new View(this.direct));
  }

  #endView(session: Session): void {
    const { view } = session;
    if (!view) return;
    session.view = undefined;
    this.#viewing.delete(session);
    this.onViewEnd(view);
    view.end();
  }

  /** Gives up the open transaction of a session. */
  abort(session: Session): void {
    if (!session.commit) session.transaction?.end();
  }

  /** Ends sessions, and what they have open. */
  end(ids: string[]): void {
    for (const id of ids) {
      const session = this.#sessions.get(id);
      if (!session) continue;
      this.abort(session);
      this.#endView(session);
      this.#sessions.delete(id);
    }
  }

  /** Ends the transactions and views of a client that has no connection left. */
  clientGone(client: string): void {
    for (const session of this.#viewing) if (session.client === client) this.#endView(session);
    for (const session of this.#open.values()) if (session.client === client) this.abort(session);
  }

  /** Ends what has been left lying. */
  sweep(now: number): void {
    for (const session of this.#open.values()) {
      if (now - session.startedAt > TRANSACTION_LIFETIME) this.abort(session);
    }
    for (const session of this.#viewing) if (isOld(session, now)) this.#endView(session);
    for (const [id, session] of this.#sessions) if (now - session.lastUsed > SESSION_LIFETIME) this.end([id]);
  }

  /** @throws Blocked while an open transaction uses a collection that is about to change its form. */
  awaitUsers(collection: Collection): void {
    for (const transaction of this.#open.keys()) if (transaction.uses(collection)) throw new Blocked(transaction);
  }

  /** Ends everything. */
  close(): void {
    for (const transaction of [...this.#open.keys()]) transaction.end();
    for (const session of this.#viewing) this.#endView(session);
  }
}

function isOld({ lastUsed, view }: Session, now: number): boolean {
  return now - lastUsed > VIEW_IDLE || now - (view?.startedAt ?? now) > VIEW_LIFETIME;
}

function isSameTime(one: Timestamp, other: unknown): boolean {
  return isTagged(other, 'Timestamp') && one.t === other.t && one.i === other.i;
}

function unavailable(message: string): EngineError {
  return new EngineError(CODES.SnapshotUnavailable, message);
}

function tooOld(number: number, session: Session): EngineError {
  const message = `Cannot use txnNumber ${number}: a newer one, ${session.number}, has been used in this session`;
  return new EngineError(CODES.TransactionTooOld, message);
}

function noSuchTransaction(number: number): EngineError {
  const message = `Given transaction number ${number} does not match any in-progress transactions.`;
  return new EngineError(CODES.NoSuchTransaction, message, { labels: [TRANSIENT] });
}
