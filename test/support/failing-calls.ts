import { mongo } from 'mongoose';
import type { Response } from 'supertest';
import { Invariants } from '../../src/database/index.js';
import type { TestApp } from './app.js';
import type { Fault, FaultyDatabase } from './database-faults.js';
import { collectionsOf, differences, type Difference, readStored, type Stored, undo } from './stored.js';

/** A request that changes something, to be sent several times. */
export interface Changing {
  send(headers?: Record<string, string>): Promise<Response>;
  /** Reads what is at its address, where GET does. */
  read?(): Promise<Response>;
}

/** What a request does when nothing fails. */
export interface Wanted {
  status: number;
  /** Records that it adds, changes and removes, by collection. */
  effect: string[];
  /** What is read at its address before. */
  read: string;
  /** Calls that it makes of the database. */
  calls: number;
}

/** A fault at one of the calls of a request. */
export interface Strike {
  fault: Fault;
  at: number;
  /** An `Idempotency-Key` that is sent with it. */
  key?: string;
}

const SIGN_IN_FAILURES = 'sign_in_failures';
/** What may be left by a request that failed. */
const LEFT_OVER = new Set([
  // immutable, and referred to by nothing: the sweep takes them away
  ...['documents', 'chunks', 'revisions'],
  // bytes that nothing refers to, and what says that they are on their way: removed by `clean-up-uploads`
  ...['blobs', 'blobs.files', 'blobs.chunks', 'blob_uploads'],
  // an attempt counts before it is looked at, and is forgotten after a while
  SIGN_IN_FAILURES,
]);
/** What the answer to a lost request is kept in: there until it is sent again. */
const KEYS = 'idempotency_keys';
const AWAY = 'The database cannot be reached just now; try again in a moment';
const FAILED = 'Something went wrong on our side; the failure was recorded';
const UNDER_WAY = 'The first request with this Idempotency-Key is still under way; ask again in a moment';
/** After so long a caller knows, in ms, on a machine with much else to do. */
const PATIENCE = 20_000;
const WRITES = /^(insert|update|delete|findAndModify|commitTransaction)\b/;

/** Sends requests of which calls of the database fail, and judges what comes of them. */
export class FailingCalls {
  private last: Stored = new Map();

  /** @param db The database of `app`, by another way than through `database`. */
  constructor(
    private readonly app: TestApp,
    private readonly database: FaultyDatabase,
    private readonly db: mongo.Db,
  ) {}

  /** What is stored; of what was read before, that is read anew which was written to. */
  async stored(): Promise<Stored> {
    await this.database.quiet();
    const written = this.database.written();
    const names = this.last.size === 0 ? await collectionsOf(this.db) : written;
    const read = await readStored(
      this.db,
      names.filter((name) => !LEFT_OVER.has(name)),
    );
    this.last = new Map([...this.last, ...read]);
    return this.last;
  }

  /** Brings what is stored back to `before`; answers what differed. */
  async reset(before: Stored): Promise<Difference[]> {
    const found = differences(before, await this.stored());
    await undo(this.db, found);
    // each sign-in that a fault broke off counts as a failed one, and after twenty everybody at this address would have to wait
    await this.db.collection(SIGN_IN_FAILURES).deleteMany({});
    this.last = before;
    return found;
  }

  /** What `changing` does to `before` when nothing fails; undone. @throws Error where it is refused. */
  async wanted(changing: Changing, before: Stored): Promise<Wanted> {
    const read = (await changing.read?.())?.text ?? '';
    this.database.arm('refused', Infinity);
    const { status, text } = await changing.send();
    const { calls } = await this.database.disarm();
    const effect = effectOf(await this.reset(before));
    if (status >= 300) throw new Error(`It was to be called with success: ${String(status)} ${text}`);
    return { status, effect, read, calls };
  }

  /** Sends `changing` with a fault, judges what came of it, and undoes it. */
  async run(
    changing: Changing,
    before: Stored,
    wanted: Wanted,
    { fault, at, key }: Strike,
  ): Promise<{ struck: string | undefined; status: number; problems: string[] }> {
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    this.database.arm(fault, at);
    const begun = performance.now();
    const answer = await changing.send(headers);
    const took = performance.now() - begun;
    await this.database.quiet();
    const { struck } = await this.database.disarm();
    const succeeded = answer.status === wanted.status;
    const problems = [
      ...(took > PATIENCE ? [`it took ${String(Math.round(took))} ms`] : []),
      ...(await this.judge(before, succeeded ? wanted.effect : [])),
      ...(succeeded ? [] : judgeFailure(answer, fault)),
      ...(succeeded && WRITES.test(struck ?? '') ? await this.disagreements() : []),
      ...(succeeded ? [] : await this.sendAgain(changing, before, wanted, headers)),
    ];
    await this.reset(before);
    return { struck, status: answer.status, problems };
  }

  /** What is wrong after a request that failed: with what is read, and with the same request when nothing fails any more. */
  private async sendAgain(
    changing: Changing,
    before: Stored,
    wanted: Wanted,
    headers: Record<string, string>,
  ): Promise<string[]> {
    const problems: string[] = [];
    const read = (await changing.read?.())?.text ?? '';
    if (read !== wanted.read) problems.push(`reads ${read}, not ${wanted.read}`);
    let again = await changing.send(headers);
    if (again.status === 409 && messageOf(again) === UNDER_WAY) {
      // nobody could say that it is over: it is when the lease is
      await this.db.collection(KEYS).updateMany({}, { $set: { leaseUntil: new Date(0) } });
      again = await changing.send(headers);
    }
    if (again.status !== wanted.status) problems.push(`sent again: ${String(again.status)} ${again.text}`);
    return [...problems, ...(await this.judge(before, wanted.effect))];
  }

  /** What is wrong with what is stored, if there is to be `effect`. */
  private async judge(before: Stored, effect: readonly string[]): Promise<string[]> {
    const found = effectOf(differences(before, await this.stored()));
    return found.join() === effect.join() ? [] : [`stored: [${found.join(', ')}], not [${effect.join(', ')}]`];
  }

  /** What is stored and does not agree, as `doctor` finds it. */
  private async disagreements(): Promise<string[]> {
    const problems: string[] = [];
    for (const [name, find] of this.app.nest.get(Invariants, { strict: false }).entries()) {
      for await (const { where, what } of find()) {
        // what follows large changes does so later
        if (what !== 'search is behind its content') problems.push(`${name}: ${where}: ${what}`);
      }
    }
    return problems;
  }
}

/** What is wrong with a failure as it is answered: nobody need be told that to try again may help, but where it does. */
function judgeFailure(answer: Response, fault: Fault): string[] {
  const { status, headers, text } = answer;
  const isRight =
    fault === 'refused'
      ? status === 500 && messageOf(answer) === FAILED
      : status === 503 && messageOf(answer) === AWAY && headers['retry-after'] === '2';
  return isRight ? [] : [`answered ${String(status)} ${text}`];
}

/** The message of a failure; `undefined` where it is not answered as failures are. */
function messageOf({ status, body }: Response): string | undefined {
  const { code, message } = (body as { error?: { code?: number; message?: string } }).error ?? {};
  return code === status ? message : undefined;
}

/** What was done, without what tells one time from another. */
const effectOf = (found: readonly Difference[]): string[] =>
  found
    .filter(({ collection }) => collection !== KEYS)
    .map(({ collection, before, after }) => {
      return `${collection} ${before ? (after ? 'changed' : 'removed') : 'added'}`;
    })
    .toSorted();
