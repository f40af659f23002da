import type { LinkTarget, PageLinks } from '../entries.js';

/**
 * What the addresses in a merged text mean: all that both sides say. `conflict`: one address means two different pages
 * or files, so whichever stays would make a link of the other side mean something else.
 *
 * Where the sides wrote from different paths, relative addresses that `theirs` alone has are left out: the entry has one
 * path, that of `ours`, and from there they would lead elsewhere. Without an entry they lead nowhere in the space.
 */
export function mergeLinks(ours: PageLinks | null, theirs: PageLinks | null): PageLinks | null | 'conflict' {
  if (ours === null || theirs === null) return ours ?? theirs;
  const added: [string, LinkTarget][] = [];
  for (const [address, target] of Object.entries(theirs.to)) {
    const known = Object.hasOwn(ours.to, address) ? ours.to[address] : undefined;
    if (known === undefined) {
      if (ours.path === theirs.path || address.startsWith('/')) added.push([address, target]);
    } else if (known.page !== target.page || known.file !== target.file) {
      return 'conflict';
    }
  }
  return { path: ours.path, to: { ...ours.to, ...Object.fromEntries(added) } };
}
