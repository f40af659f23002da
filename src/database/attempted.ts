import { setTimeout as wait } from 'node:timers/promises';
import { ConflictException } from '@nestjs/common';
import { type Connection, mongo } from 'mongoose';

/** How often a transaction is tried that lost a race, or that the server broke off, before the caller is told. */
const ATTEMPTS = 24;
/** How often a transaction is asked to happen whose answer was lost. */
const COMMITS = 8;
/** So long after its beginning a transaction is neither tried nor asked to happen again, in ms. The driver would take two minutes. */
const PATIENCE = 10_000;
/** Pauses between the times that a transaction is asked to happen, in ms: the first, doubled with each, and the longest. */
export const PAUSES = { first: 50, longest: 500 };
/** Server errors that mean that somebody else wrote first: a write conflict, and a transaction that is there no more. */
const CONFLICTS = new Set<unknown>([112, 251]);

/** Thrown instead of an error that the driver would try again for. */
class GivenUp extends Error {
  constructor(readonly reason: unknown) {
    super('The transaction was tried often enough');
  }
}

/**
 * Runs `work` in a transaction of `connection`, again where it lost a race or the server broke it off: at most 24 times, and for no
 * more than ten seconds beyond the longest that one operation takes. Where the answer to its end is lost, the end alone is
 * asked for again. Whether it has happened may remain unknown; then `work` is not run again, or it might be done twice.
 *
 * @throws ConflictException when others kept writing to the same documents, the driver's error when the server broke it off, or
 *   nobody knows whether it has happened, else whatever `work` throws.
 */
export async function attempted<T>(
  connection: Connection,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + PATIENCE;
  let attempts = 0;
  // what the server did wrong tells more than the races that follow it: what it broke off may stay in the way of what comes after
  let trouble: unknown;
  let last: unknown;
  let lost: unknown;
  const attempt = async (session: mongo.ClientSession): Promise<T> => {
    attempts += 1;
    if (attempts > ATTEMPTS || (attempts > 1 && performance.now() > deadline)) throw new GivenUp(trouble ?? last);
    try {
      const done = await work(session);
      lost = await commit(session, deadline);
      return done;
    } catch (error) {
      last = error;
      if (!isConflict(error)) trouble = error;
      throw error;
    }
  };
  const done = await connection.transaction(attempt).catch((error: unknown) => {
    throw error instanceof GivenUp ? toldOf(error.reason) : error;
  });
  // the driver takes a transaction that was committed within its work for one that is over
  if (lost !== undefined) throw lost as Error;
  return done;
}

/**
 * Has the transaction of `session` happen. Answers the error when nobody knows whether it has. An embedded database that was
 * started again knows nothing of what it has done, so that its word that there is no such transaction settles nothing.
 *
 * @throws the driver's error when it has not happened.
 */
async function commit(session: mongo.ClientSession, deadline: number): Promise<unknown> {
  let lost: unknown;
  for (let turn = 0; turn < COMMITS && (turn === 0 || performance.now() < deadline); turn += 1) {
    if (turn > 0) await wait(Math.min(PAUSES.first * 2 ** (turn - 1), PAUSES.longest));
    try {
      await session.commitTransaction();
      return undefined;
    } catch (error) {
      const unanswered = isUnanswered(error);
      if (lost === undefined && !unanswered) throw error;
      lost ??= error;
      if (!unanswered) break;
    }
  }
  return lost;
}

/** Whether a transaction that was asked to happen and failed so may have happened. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof mongo.MongoError)) return false;
  return (
    error instanceof mongo.MongoNetworkError ||
    error instanceof mongo.MongoServerSelectionError ||
    // it happened on one server, and the others have not said so in time
    error instanceof mongo.MongoWriteConcernError ||
    error.hasErrorLabel('UnknownTransactionCommitResult') ||
    error.hasErrorLabel('RetryableWriteError')
  );
}

const isConflict = (error: unknown): boolean => error instanceof mongo.MongoServerError && CONFLICTS.has(error.code);

function toldOf(reason: unknown): unknown {
  if (!isConflict(reason)) return reason;
  return new ConflictException('Others kept writing to the same place at the same moment; try again');
}
