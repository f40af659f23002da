/** What an address in the application names. */
export type AppAddress =
  | { kind: 'collection'; collection: string }
  | { kind: 'space'; space: string; changeRequest?: string; path: readonly string[] };

/**
 * What `address` names where the application is below `base`; `null`: nothing. The forms are those in which answers spell
 * addresses: `/c/{collection}`, `/s/{space}`, with `~/changes/{number}` and the path of a page.
 */
export function readAppAddress(address: string, base: string): AppAddress | null {
  const { origin, pathname } = new URL(address);
  const app = new URL(base);
  const prefix = `${app.pathname.replace(/\/+$/, '')}/`;
  if (origin !== app.origin || !pathname.startsWith(prefix)) return null;
  const [kind, id, ...rest] = segmentsOf(pathname.slice(prefix.length)) ?? [];
  if (id === undefined) return null;
  if (kind === 'c') return rest.length === 0 ? { kind: 'collection', collection: id } : null;
  if (kind !== 's') return null;
  if (rest[0] !== '~') return { kind: 'space', space: id, path: rest };
  const [, mark, changeRequest, ...path] = rest;
  if (mark !== 'changes' || changeRequest === undefined) return null;
  return { kind: 'space', space: id, changeRequest, path };
}

function segmentsOf(path: string): string[] | null {
  try {
    const segments = path.split('/').filter((segment) => segment !== '');
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return null;
  }
}
