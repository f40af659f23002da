import { Carried } from '../common/carried.js';

/** Somebody who acts: the id of a person, or `null` for the service itself, as a job or on the command line. */
export type Acting = string | null;

/** Stands in requests that come without a token: nobody has said yet who acts there. */
const NOBODY = Symbol('nobody');

const acting = new Carried<Acting | typeof NOBODY>();

/** Runs `work`, and all that it begins, as something that `who` does. */
export function actAs<T>(who: Acting, work: () => T): T {
  return acting.run(who, work);
}

/** Runs `work` as something that nobody does yet: what is recorded within needs an {@link actAs} of its own. */
export function actAsNobody<T>(work: () => T): T {
  return acting.run(NOBODY, work);
}

/** Who acts; outside of requests the service itself. @throws Error where a request came without a token: a mistake in the code. */
export function whoActs(): Acting {
  const who = acting.get();
  if (who === NOBODY) throw new Error('Nobody acts here: an open operation that changes something must say who does');
  return who ?? null;
}
