import { createHash } from 'node:crypto';
import { deepFreeze } from '../common/deep-freeze.js';
import { canonicalJson, type Json } from './json.js';

/** One entry of a map; the key is compared by code units. */
export interface Entry {
  readonly key: string;
  readonly value: Json;
}

/** A lowest chunk: entries in order. */
export interface Leaf {
  /** Its content key: what its text hashes to. */
  readonly id: string;
  readonly level: 0;
  readonly keys: readonly string[];
  readonly values: readonly Json[];
  /** Length of its text, in characters. */
  readonly size: number;
}

/** A chunk of chunks one level lower, in order. `keys` are the last keys they hold. */
export interface Branch {
  readonly id: string;
  readonly level: number;
  readonly keys: readonly string[];
  /** Content keys of the chunks below. */
  readonly children: readonly string[];
  /** How many entries lie under each of them. */
  readonly counts: readonly number[];
  readonly size: number;
}

/** A piece of a sorted map; immutable and frozen. */
export type Chunk = Leaf | Branch;

/** A chunk together with the text that is stored. */
export interface WrittenChunk {
  readonly chunk: Chunk;
  readonly text: string;
}

/** How large one entry may be written, in characters. */
export const MAX_ENTRY_SIZE = 16 * 1024;
/** The same for what the addresses of a page mean: some thousands of them. */
export const MAX_LINKS_SIZE = 1024 * 1024;

/** Reads chunks by their content keys; answers them in the order asked. @throws Error when one is not there. */
export interface ChunkSource {
  read(ids: readonly string[]): Promise<readonly Chunk[]>;
}

/**
 * The content key of `text`: SHA-256 over scope, kind and text. The scope (an organization) is part of it, so that
 * nobody can find out by writing what another organization stores.
 */
export function contentKey(scope: string, kind: 'chunk' | 'document', text: string): string {
  return createHash('sha256').update(`${scope}\0${kind}\0`).update(text).digest('base64url');
}

/** Whether `chunk` is a leaf. */
export function isLeaf(chunk: Chunk): chunk is Leaf {
  return chunk.level === 0;
}

/** How many entries lie in and under `chunk`. */
export function entryCount(chunk: Chunk): number {
  return 'counts' in chunk ? chunk.counts.reduce((sum, count) => sum + count, 0) : chunk.keys.length;
}

/** Index of the first of `keys` that is not below `key`; their number when all are. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Writes a leaf. `values` are frozen, `texts` the same as canonical JSON, one a key each. */
export function writeLeaf(
  scope: string,
  keys: readonly string[],
  values: readonly Json[],
  texts: readonly string[],
): WrittenChunk {
  const text = `{"keys":${canonicalJson(keys)},"level":0,"values":[${texts.join()}]}`;
  return written(scope, text, { keys, level: 0, values });
}

/** Writes a branch over chunks of the level below. */
export function writeBranch(
  scope: string,
  level: number,
  parts: Pick<Branch, 'keys' | 'children' | 'counts'>,
): WrittenChunk {
  const { keys, children, counts } = parts;
  return written(scope, canonicalJson({ children, counts, keys, level }), { children, counts, keys, level });
}

/** Reads the text of the chunk `id`. @throws SyntaxError when it is damaged. */
export function readChunk(id: string, text: string): Chunk {
  return deepFreeze({ ...(JSON.parse(text) as Parts), id, size: text.length });
}

/** What the text of a chunk says. */
type Parts = Omit<Leaf, 'id' | 'size'> | Omit<Branch, 'id' | 'size'>;

function written(scope: string, text: string, parts: Parts): WrittenChunk {
  const id = contentKey(scope, 'chunk', text);
  return { chunk: deepFreeze({ ...parts, id, size: text.length }), text };
}

interface Cut {
  /** Fewest entries of a chunk that is not the last of its level: keeps chosen keys from making a tree of crumbs. */
  readonly min: number;
  /** A key ends a chunk with a chance of one in `odds`. */
  readonly odds: number;
  readonly max: number;
}
const LEAF: Cut = { min: 8, odds: 16, max: 96 };
const BRANCH: Cut = { min: 8, odds: 32, max: 128 };
const FULL = 48 * 1024;

/**
 * Decides where chunks of one level end: after a key whose hash says so, or when the chunk is full. It looks at the
 * entries since the last cut only, so equal entries are cut equally whatever was written before them.
 */
export class Cutter {
  private entries = 0;
  private size = 0;
  private readonly rule: Cut;

  constructor(private readonly level: number) {
    this.rule = level === 0 ? LEAF : BRANCH;
  }

  /** Takes the next entry, `size` characters long, and answers whether the chunk ends after it. */
  endsAfter(key: string, size: number): boolean {
    this.entries++;
    this.size += size + key.length;
    const full = this.entries >= this.rule.max || this.size >= FULL;
    if (!full && (this.entries < this.rule.min || hash(key, this.level) % this.rule.odds !== 0)) return false;
    this.entries = 0;
    this.size = 0;
    return true;
  }
}

/** FNV-1a with a final mix, 32 bits: spreads keys, keeps no secret. */
function hash(key: string, seed: number): number {
  let state = 0x811c9dc5 ^ seed;
  for (let index = 0; index < key.length; index++) state = Math.imul(state ^ key.charCodeAt(index), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
