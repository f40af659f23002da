/** What became of one page of a batch. */
export type Touched =
  | { kind: 'created'; page: string; ref?: string }
  | { kind: 'updated'; page: string }
  /** `below`: pages that went with it. */
  | { kind: 'deleted'; page: string; below?: string[] };

/** Notes what became of a page: one that was made and changed in the same batch was made. */
export function note(touched: Map<string, Touched>, one: Touched): void {
  const before = touched.get(one.page);
  if (before?.kind === 'created' && one.kind === 'updated') return;
  if (before?.kind === 'created' && one.kind === 'deleted') touched.delete(one.page);
  else if (before?.kind === 'deleted' && one.kind === 'created')
    touched.set(one.page, { kind: 'updated', page: one.page });
  else touched.set(one.page, one);
  if (one.kind !== 'deleted') return;
  for (const page of one.below ?? []) {
    if (touched.has(page)) note(touched, { kind: 'deleted', page });
  }
}
