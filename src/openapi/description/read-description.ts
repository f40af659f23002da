import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { checkStructure } from './check-structure.js';
import { DescriptionError } from './description-error.js';
import { isObject, type Json, type JsonObject } from './json.js';

/** Levels of lists and objects, at the most: an honest description has some thirty. */
const MAX_DEPTH = 200;
/** Values, and characters of texts and keys, at the most, with everything that YAML repeats written out. */
const MAX_VALUES = 4_000_000;
const MAX_CHARACTERS = 40_000_000;
/** Places of a YAML text that repeat others, at the most, and keys that are merged from elsewhere. */
const MAX_ALIASES = 20_000;
const MAX_MERGED = 100_000;

const YAML = {
  schema: CORE_SCHEMA.withTags(mergeTag),
  maxDepth: MAX_DEPTH,
  maxAliases: MAX_ALIASES,
  maxTotalMergeKeys: MAX_MERGED,
};

/** A description as it was read. */
export interface ReadDescription {
  document: JsonObject;
  /** What it was written in. */
  format: 'json' | 'yaml';
}

/**
 * The description of an API that `bytes` spell in JSON or YAML (decision 5.47).
 * @throws DescriptionError for what is not OpenAPI 2.0, 3.0 or 3.1, or is too deep or too large.
 */
export function readDescription(bytes: Uint8Array): ReadDescription {
  const { value, format } = parse(textOf(bytes));
  checkSize(value);
  if (!isObject(value)) throw new DescriptionError('It is no object');
  checkStructure(value);
  return { document: value, format };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DescriptionError('It is not in UTF-8');
  }
}

function parse(text: string): { value: unknown; format: 'json' | 'yaml' } {
  if (/^\s*\{/.test(text)) {
    try {
      return { value: JSON.parse(text) as unknown, format: 'json' };
    } catch {
      // YAML may begin so too
    }
  }
  try {
    return { value: load(text, YAML), format: 'yaml' };
  } catch {
    throw new DescriptionError('It is neither JSON nor YAML');
  }
}

/**
 * Looks at every value, once for each place where it stands. Calls do not nest, so that no depth breaks it off; what holds
 * itself is too deep.
 */
function checkSize(value: unknown): asserts value is Json {
  let [values, characters] = [0, 0];
  const open: { of: unknown; depth: number }[] = [{ of: value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { of, depth } = next;
    values += 1;
    if (typeof of === 'string') characters += of.length;
    if (values + open.length > MAX_VALUES || characters > MAX_CHARACTERS) throw new DescriptionError('It is too large');
    if (typeof of !== 'object' || of === null) {
      if (!isScalar(of)) throw new DescriptionError('It holds something that JSON has no form for');
      continue;
    }
    if (depth === MAX_DEPTH) throw new DescriptionError('It is nested too deeply');
    if (Array.isArray(of)) {
      for (const item of of as unknown[]) open.push({ of: item, depth: depth + 1 });
      continue;
    }
    for (const [key, item] of Object.entries(of)) {
      if (key === '__proto__') throw new DescriptionError('It has a key named __proto__');
      characters += key.length;
      open.push({ of: item, depth: depth + 1 });
    }
  }
}

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
