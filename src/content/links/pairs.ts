/** The key of what stands under two names. */
export const pairKey = (one: string, other: string): string => JSON.stringify([one, other]);

/** All first names in `keys`, and all second ones. */
export function pairsOf(keys: readonly string[]): [first: string[], second: string[]] {
  const pairs = keys.map((key) => JSON.parse(key) as [string, string]);
  return [[...new Set(pairs.map(([one]) => one))], [...new Set(pairs.map(([, other]) => other))]];
}

/** `records` by their keys, in their order. */
export function grouped<T>(records: readonly T[], keyOf: (record: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return groups;
}
