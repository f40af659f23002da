import { isStorable, lengthOf } from '../../common/validation.js';
import { FORBIDDEN_NAMES } from '../../conditions/index.js';
import { type AdaptiveSchema, type Claim, type ClaimGroup, MAX_DEPTH, UNSIGNED, type ValueClaim } from './schema.js';

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const MAX_CLAIMS = 100;
/** Code points of a claim's name at the most. */
const MAX_NAME = 128;
/** Bytes of a schema as JSON: it is read for every visitor. */
const MAX_BYTES = 65_536;

const VALUE_TYPES = ['boolean', 'string', 'number'];
const TYPES = [...VALUE_TYPES, 'array', 'object'];

type Json = Record<string, unknown>;

/** A schema that is not accepted. The message names what is at fault by its path, beginning with `jsonSchema`. */
export class AdaptiveSchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AdaptiveSchemaError';
  }
}

/**
 * The adaptive schema that `jsonSchema` is: closed, with at most 100 claims in 5 levels whose names have 1 to 128
 * characters, and at most 65,536 bytes of JSON (decision 3.13). An absent `additionalProperties` is put in as `false`;
 * everything else is answered as it came. The result shares nothing with `jsonSchema`.
 *
 * @throws AdaptiveSchemaError naming the first place at fault
 */
export function readAdaptiveSchema(jsonSchema: unknown): AdaptiveSchema {
  return new SchemaReader().read(jsonSchema);
}

class SchemaReader {
  private claims = 0;

  read(value: unknown): AdaptiveSchema {
    const at = 'jsonSchema';
    const schema = closedObject(value, at, ['$schema', '$id', 'type', 'properties', 'additionalProperties']);
    if ('$schema' in schema && schema['$schema'] !== DRAFT) fail(`${at}.$schema`, `must be ${DRAFT}`);
    if ('$id' in schema) text(schema['$id'], `${at}.$id`);
    if (schema.type !== 'object') fail(`${at}.type`, 'must be object');
    closed(schema, at);
    const properties = this.properties(schema.properties, `${at}.properties`, (name, claim, path) =>
      name === UNSIGNED ? this.unsigned(claim, path) : this.claim(name, claim, path, 1),
    );
    const read = { ...schema, properties, additionalProperties: false } as AdaptiveSchema;
    if (Buffer.byteLength(JSON.stringify(read)) > MAX_BYTES) fail(at, `must be at most ${MAX_BYTES} bytes of JSON`);
    return read;
  }

  private unsigned(value: unknown, at: string): ClaimGroup {
    const group = closedObject(value, at, ['type', 'description', 'properties', 'additionalProperties']);
    if (group.type !== 'object') fail(`${at}.type`, 'must be object');
    if ('description' in group) text(group.description, `${at}.description`);
    return { ...group, ...this.group(group, at, 1) } as ClaimGroup;
  }

  private claim(name: string, value: unknown, at: string, depth: number): Claim {
    this.claims += 1;
    if (this.claims > MAX_CLAIMS) fail('jsonSchema', `must declare at most ${MAX_CLAIMS} claims`);
    if (depth > MAX_DEPTH) fail(at, `is nested too deeply: at most ${MAX_DEPTH} levels of claims are possible`);
    checkName(name, at);
    const type = typeOf(value, at, TYPES);
    if (type === 'array') {
      const claim = described(value, at, ['items']);
      return { ...claim, items: valueClaim(claim.items, `${at}.items`) } as Claim;
    }
    if (type !== 'object') return valueClaim(value, at);
    const claim = described(value, at, ['properties', 'additionalProperties']);
    return { ...claim, ...this.group(claim, at, depth + 1) } as Claim;
  }

  private group(group: Json, at: string, depth: number): Pick<ClaimGroup, 'properties' | 'additionalProperties'> {
    closed(group, at);
    const properties = this.properties(group.properties, `${at}.properties`, (name, claim, path) =>
      this.claim(name, claim, path, depth),
    );
    return { properties, additionalProperties: false };
  }

  private properties<T>(
    value: unknown,
    at: string,
    read: (name: string, claim: unknown, path: string) => T,
  ): Record<string, T> {
    const entries = Object.entries(object(value, at));
    // built from entries: writing to `__proto__` would set what the object inherits from
    return Object.fromEntries(entries.map(([name, claim]) => [name, read(name, claim, `${at}.${shown(name)}`)]));
  }
}

/** A claim that is a single value. */
function valueClaim(value: unknown, at: string): ValueClaim {
  const type = typeOf(value, at, VALUE_TYPES);
  const claim = described(value, at, type === 'string' ? ['enum'] : []);
  if (!('enum' in claim)) return { ...claim } as unknown as ValueClaim;
  if (!Array.isArray(claim.enum)) return fail(`${at}.enum`, 'must be a list of strings');
  const values: unknown[] = claim.enum;
  return { ...claim, enum: values.map((one, index) => text(one, `${at}.enum.${index}`)) } as unknown as ValueClaim;
}

/** An object with `type`, a text as `description`, and of others only `keys`. */
function described(value: unknown, at: string, keys: readonly string[]): Json {
  const claim = closedObject(value, at, ['type', 'description', ...keys]);
  text(claim.description, `${at}.description`);
  return claim;
}

function typeOf(value: unknown, at: string, types: readonly string[]): string {
  const { type } = object(value, at);
  if (typeof type === 'string' && types.includes(type)) return type;
  return fail(`${at}.type`, `must be one of ${types.join(', ')}`);
}

function checkName(name: string, at: string): void {
  if (name === '' || lengthOf(name) > MAX_NAME) fail(at, `must have a name of 1 to ${MAX_NAME} characters`);
  if (!isStorable(name)) fail(at, 'must have a name of well-formed text without NUL characters');
  if (FORBIDDEN_NAMES.has(name)) fail(at, 'must have another name: conditions cannot read this one');
}

function closed(schema: Json, at: string): void {
  if ('additionalProperties' in schema && schema.additionalProperties !== false) {
    fail(`${at}.additionalProperties`, 'must be false');
  }
}

function closedObject(value: unknown, at: string, keys: readonly string[]): Json {
  const found = object(value, at);
  for (const key of Object.keys(found)) {
    if (!keys.includes(key)) fail(`${at}.${shown(key)}`, `is not known here; leave it out (known: ${keys.join(', ')})`);
  }
  return found;
}

function object(value: unknown, at: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(at, 'must be an object');
  return value as Json;
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string') return fail(at, 'must be a string');
  return isStorable(value) ? value : fail(at, 'must be well-formed text without NUL characters');
}

/** A name that others chose, short enough for a message. */
function shown(name: string): string {
  const short = Array.from(name.slice(0, 4 * MAX_NAME)).slice(0, MAX_NAME);
  return short.join('').toWellFormed();
}

function fail(at: string, problem: string): never {
  throw new AdaptiveSchemaError(`${at} ${problem}`);
}
