import { Document } from '../errors.js';

/** What a modifier may look at beside the value it changes. */
export interface Environment {
  /** The document before the update. */
  root: Document;
  now: Date;
}

/** The change of one field. */
export interface Modifier {
  /** The new value for the current one; undefined stands for no field, before and after. */
  apply: (current: unknown, environment: Environment) => unknown;
  /** Whether it makes fields that are not there, so that a path which cannot be made is a failure. */
  creates: boolean;
}
