/** Indices of a longest strictly increasing subsequence of `values`; of several, always the same one. */
export function longestIncreasing(values: readonly (number | string)[]): number[] {
  /** By length: the index of the smallest value that such a subsequence ends with. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBelow(values[ends[middle] ?? 0], value)) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? undefined : ends[low - 1]);
    ends[low] = index;
  }
  const found: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) found.push(index);
  return found.reverse();
}

function isBelow(a: number | string | undefined, b: number | string): boolean {
  return a !== undefined && a < b;
}
