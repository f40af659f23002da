import { ServiceUnavailableException } from '@nestjs/common';

/** Seconds after which a caller may try again when the database is away. */
const RETRY_AFTER = '2';

/** Names of the driver's and Mongoose's errors that mean: nobody answers. */
const AWAY =
  /^(Mongo(ose)?(ServerSelection|Network|NetworkTimeout|NotConnected|PoolCleared|PoolClosed|TopologyClosed|ServerClosed|ClientClosed|WaitQueueTimeout|OperationTimeout|ExpiredSession)|PoolClearedOnNetwork)Error$/;
/** Server errors that mean the same: shutting down, no primary, out of disk space. */
const AWAY_CODES = new Set([91, 189, 10107, 11600, 11602, 13435, 13436, 14031]);

/** Whether `error`, as the driver or Mongoose throw it, means that the database does not answer. */
export function isAway(error: unknown): boolean {
  const { name, code, cause } = (error ?? {}) as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  const told = code ?? cause?.code;
  return (typeof name === 'string' && AWAY.test(name)) || (typeof told === 'number' && AWAY_CODES.has(told));
}

/** What is answered while the database is away: 503, with the time after which it is worth trying again. */
export const unavailable = (cause: unknown): ServiceUnavailableException =>
  new ServiceUnavailableException(
    {
      message: 'The database cannot be reached just now; try again in a moment',
      headers: { 'Retry-After': RETRY_AFTER },
    },
    { cause },
  );
