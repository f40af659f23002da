import { StructureError } from './structure-error.js';

/** Where something is put, by ids; at the end when it names no anchor. */
export interface Position {
  before?: string;
  after?: string;
}

/**
 * `list` with `item`, which is not in it, where `position` says: directly after `after`, which stands before `before` where
 * both are given; else directly before `before`; else at the end.
 *
 * @throws StructureError when an anchor is not in the list, or the two are the wrong way round.
 */
export function insertAt<T extends { id: string }>(
  list: readonly T[],
  item: T,
  { before, after }: Position,
): readonly T[] {
  const indexOf = (property: string, id: string): number => {
    const index = list.findIndex((one) => one.id === id);
    if (index < 0) throw badAnchor(property);
    return index;
  };
  const first = after === undefined ? undefined : indexOf('after', after);
  const last = before === undefined ? undefined : indexOf('before', before);
  if (first !== undefined && last !== undefined && first >= last)
    throw new StructureError('invalid', 'position.after must name something that stands before position.before');
  const index = first === undefined ? (last ?? list.length) : first + 1;
  return list.toSpliced(index, 0, item);
}

/** The refusal of an anchor that is not where the thing can go. */
export function badAnchor(property: string): StructureError {
  return new StructureError('invalid', `position.${property} names nothing that this can be put beside`);
}

/** The anchor that decides about the container, with the name of its property; `null`: there is none. */
export function leadingAnchor({ before, after }: Position): { property: string; id: string } | null {
  if (after !== undefined) return { property: 'after', id: after };
  return before === undefined ? null : { property: 'before', id: before };
}
