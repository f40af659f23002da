import { isDeepStrictEqual } from 'node:util';

/** A property before and after a change; one of the two is absent for what is made or removed. */
export interface Change {
  before?: unknown;
  after?: unknown;
}

/** What changed, by property. */
export type Changes = Record<string, Change>;

/** Characters of JSON that a value may have to be recorded: those of {@link NAMED} people with their roles. */
const MAX_VALUE = 8000;

/** How many people or teams one event names at the most: who names more records several. */
export const NAMED = 100;

/**
 * What differs between `before` and `after` in the properties `names`: of properties that are alike, nothing. To be given
 * those alone that are fit to be read for as long as the record is kept: no secrets, no long texts.
 */
export function changesBetween<T extends object>(before: T, after: T, names: readonly (keyof T & string)[]): Changes {
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]));
}

/** What is made with `values`: each of them only `after`. */
export function madeWith(values: Record<string, unknown>): Changes {
  return Object.fromEntries(Object.entries(values).map(([name, after]) => [name, { after }]));
}

/** What is removed with `values`: each of them only `before`. */
export function removedWith(values: Record<string, unknown>): Changes {
  return Object.fromEntries(Object.entries(values).map(([name, before]) => [name, { before }]));
}

/** `changes` as they are recorded: a value of more than 8,000 characters of JSON tells its length alone, as `{omitted}`. */
export function bounded(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [
      name,
      Object.fromEntries(
        Object.entries(change)
          .filter(([, value]) => value !== undefined)
          .map(([side, value]) => [side, fitting(value)]),
      ),
    ]),
  );
}

function fitting(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json.length > MAX_VALUE ? { omitted: json.length } : (JSON.parse(json) as unknown);
}
