import { type Chunk, isLeaf } from './chunk.js';

/** Keys of the documents that the entries of `chunk` refer to; none of a branch. */
export function documentsIn(chunk: Chunk): string[] {
  return [...fieldsIn(chunk, 'document')];
}

/** Hashes of the bytes that the entries of `chunk` refer to; none of a branch. */
export function bytesIn(chunk: Chunk): string[] {
  return [...fieldsIn(chunk, 'blob')];
}

function* fieldsIn(chunk: Chunk, name: 'document' | 'blob'): Generator<string> {
  if (!isLeaf(chunk)) return;
  for (const value of chunk.values) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const found = (value as Record<string, unknown>)[name];
    if (typeof found === 'string') yield found;
  }
}
