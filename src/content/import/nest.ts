/** A place in a tree that is made from paths; without an `item` where no path ended. */
export interface Branch<T> {
  /** Last segment of its path. */
  name: string;
  item?: T;
  children: Branch<T>[];
}

/** Deepest nesting that is made; what lies deeper is added to the level above. */
const MAX_DEPTH = 30;

/**
 * Lays items out as a tree by their paths (segments from the top), siblings in the order in which they, or the first of
 * what is below them, were given. Of items with the same path, the first has the others as siblings.
 */
export function nest<T>(items: Iterable<readonly [path: readonly string[], item: T]>): Branch<T>[] {
  const root: Level<T> = { branches: [], below: new Map() };
  for (const [path, item] of items) {
    const name = path.at(-1) ?? '';
    let level = root;
    for (const segment of path.slice(0, -1).slice(0, MAX_DEPTH - 1)) level = below(level, segment);
    const there = level.below.get(name);
    if (there && there.branch.item === undefined) there.branch.item = item;
    else if (there) level.branches.push({ name, item, children: [] });
    else below(level, name, item);
  }
  return root.branches;
}

interface Level<T> {
  branches: Branch<T>[];
  below: Map<string, Level<T> & { branch: Branch<T> }>;
}

/** The level below `level` at `segment`; made, for `item`, when it is not there. */
function below<T>(level: Level<T>, segment: string, item?: T): Level<T> {
  const there = level.below.get(segment);
  if (there) return there;
  const branch: Branch<T> = { name: segment, ...(item !== undefined && { item }), children: [] };
  const made = { branch, branches: branch.children, below: new Map() };
  level.branches.push(branch);
  level.below.set(segment, made);
  return made;
}

/** A title made of a file's name or a segment of an address: `getting-started` is "Getting started". */
export function titleFromName(name: string): string {
  const words = name
    .replace(/[-_+\s]+/g, ' ')
    .trim()
    .toWellFormed();
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1);
}
