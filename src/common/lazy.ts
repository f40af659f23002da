/**
 * What `load` answers, asked for when it is first needed, and once. For packages that a start has no use for, as most of a start
 * is reading files: `const jose = lazy(() => import('jose'))`, then `await jose()`, which takes a microtask once it was read.
 */
export function lazy<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
