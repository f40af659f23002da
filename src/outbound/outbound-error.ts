/** Why a foreign address was not fetched. */
export type OutboundReason = 'refused' | 'timeout' | 'too-large' | 'redirects' | 'failed';

/** A foreign address could not be fetched; the message says why and what to do, and names nothing internal. */
export class OutboundError extends Error {
  constructor(
    readonly reason: OutboundReason,
    message: string,
  ) {
    super(message);
  }
}
