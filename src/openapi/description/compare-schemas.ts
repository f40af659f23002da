import { flatten, type FlatSchema, namesWithin } from './flat-schema.js';
import { cut, type Json, type JsonObject, own } from './json.js';
import { schemaNameOf } from './parts.js';
import { referenceOf, resolved } from './references.js';

/** Who makes the values of a schema: clients break where what they may send shrinks, or what they receive grows. */
export type Direction = 'sent' | 'received';

/** Schemas within schemas that are looked into, at the most. */
const MAX_DEPTH = 60;
/** Pairs of schemas that one comparison of descriptions looks at, at the most: hostile ones have many. */
const MAX_PAIRS = 100_000;

/** Two schemas at the same place of two descriptions. */
interface Pair {
  before: Json | undefined;
  after: Json | undefined;
  direction: Direction;
  /** How a reason names the place. */
  at: string;
}

/**
 * Finds what of changed schemas breaks clients. Schemas that have the same name on both sides are left to be compared by
 * that; a pair of other names is told of where it is met first.
 */
export class SchemaComparison {
  /** What was met together with what, so that schemas that hold each other come to an end. */
  private readonly met = { sent: new Map<object, Set<object>>(), received: new Map<object, Set<object>>() };
  private looked = 0;

  constructor(
    private readonly before: JsonObject,
    private readonly after: JsonObject,
  ) {}

  /** Sentences' ends, each about one thing that breaks clients; none when nothing does. */
  *breaking(pair: Pair, depth = 0): Generator<string> {
    if (depth > MAX_DEPTH || this.looked >= MAX_PAIRS || this.isComparedElsewhere(pair)) return;
    this.looked += 1;
    const [inBefore, inAfter] = [namesWithin(pair.before), namesWithin(pair.after)];
    const apart = new Set([...inBefore].filter((name) => inAfter.has(name)));
    const before = flatten(this.before, pair.before, apart);
    const after = flatten(this.after, pair.after, apart);
    yield* narrowed(before, after, pair);
    yield* this.properties(before, after, pair, depth);
    const below = { direction: pair.direction };
    if (before.items !== undefined && after.items !== undefined) {
      const items = { ...below, before: before.items, after: after.items, at: `${pair.at}, its items` };
      yield* this.breaking(items, depth + 1);
    }
    if (before.additional !== undefined && after.additional !== undefined) {
      const others = { ...below, before: before.additional, after: after.additional, at: `${pair.at}, its values` };
      yield* this.breaking(others, depth + 1);
    }
  }

  private isComparedElsewhere({ before, after, direction }: Pair): boolean {
    const [one, other] = [referenceOf(before), referenceOf(after)].map((reference) => schemaNameOf(reference ?? ''));
    if (one !== undefined && one === other) return true;
    const [was, is] = [resolved(this.before, before), resolved(this.after, after)];
    const partners = this.met[direction].get(was) ?? new Set();
    if (partners.has(is)) return true;
    this.met[direction].set(was, partners.add(is));
    return false;
  }

  private *properties(before: FlatSchema, after: FlatSchema, pair: Pair, depth: number): Generator<string> {
    const { at, direction } = pair;
    const named = (name: string): string => `${at}, property "${cut(name, 100)}"`;
    for (const [name, was] of before.properties) {
      const is = after.properties.get(name);
      if (is !== undefined) yield* this.breaking({ before: was, after: is, direction, at: named(name) }, depth + 1);
      else if (direction === 'received' && !this.isOneSided(this.before, was, 'writeOnly'))
        yield `${named(name)}: is gone`;
      else if (direction === 'sent' && after.isClosed) yield `${named(name)}: is not taken any more`;
    }
    if (direction === 'sent') {
      for (const name of after.required) {
        if (before.required.has(name) || this.isOneSided(this.after, after.properties.get(name), 'readOnly')) continue;
        yield `${named(name)}: must be given now`;
      }
    } else {
      for (const name of before.required) {
        if (!after.required.has(name) && after.properties.has(name)) yield `${named(name)}: may be missing now`;
      }
    }
  }

  /** Whether a property is marked as one that goes the other way alone. */
  private isOneSided(document: JsonObject, property: Json | undefined, mark: 'readOnly' | 'writeOnly'): boolean {
    return own(resolved(document, property), mark) === true;
  }
}

/** What of the values themselves is no longer taken, or is new in answers. */
function* narrowed(before: FlatSchema, after: FlatSchema, { direction, at }: Pair): Generator<string> {
  if (before.format !== undefined && after.format !== undefined && before.format !== after.format) {
    yield `${at}: has the format "${after.format}" now instead of "${before.format}"`;
  }
  if (direction === 'sent') {
    for (const type of before.types ?? []) {
      if (after.types && !covers(after.types, type)) yield `${at}: does not take the type "${type}" any more`;
    }
    if (!before.types && after.types) yield `${at}: takes only the type "${[...after.types].join('", "')}" now`;
    for (const key of before.values?.keys() ?? []) {
      if (after.values && !after.values.has(key)) yield `${at}: does not take the value ${cut(key, 100)} any more`;
    }
    if (!before.values && after.values) yield `${at}: takes only certain values now`;
    for (const variant of before.variants) {
      if (after.variants.size > 0 && !after.variants.has(variant)) yield `${at}: does not take a variant any more`;
    }
    for (const [key, limit] of after.limits) {
      if (isTighter(key, before.limits.get(key), limit)) yield `${at}: has the ${key} ${String(limit)} now`;
    }
  } else {
    for (const type of after.types ?? []) {
      if (before.types && !covers(before.types, type)) yield `${at}: may be of the type "${type}" now`;
    }
    if (before.types && !after.types) yield `${at}: may be of any type now`;
    for (const variant of after.variants) {
      if (before.variants.size > 0 && !before.variants.has(variant)) yield `${at}: may be of another variant now`;
    }
  }
}

const covers = (types: ReadonlySet<string>, type: string): boolean =>
  types.has(type) || (type === 'integer' && types.has('number'));

function isTighter(key: string, before: number | undefined, after: number): boolean {
  if (before === undefined) return true;
  return key.startsWith('min') ? after > before : after < before;
}
