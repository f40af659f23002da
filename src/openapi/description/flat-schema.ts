import { canonical, isObject, type Json, type JsonObject, listAt, objectAt, own, textAt } from './json.js';
import { isText, schemaNameOf } from './parts.js';
import { referenceOf, resolved } from './references.js';

/** Schemas that one is put together from, at the most. */
const MAX_MEMBERS = 200;

/** A schema with those that it is put together from (`allOf`) in one. */
export interface FlatSchema {
  /** `null`: of every type. */
  types: Set<string> | null;
  /** `null`: every value. */
  values: Map<string, Json> | null;
  format: string | undefined;
  properties: Map<string, Json>;
  required: Set<string>;
  /** Whether it admits no property that it does not name. */
  isClosed: boolean;
  items: Json | undefined;
  additional: Json | undefined;
  /** What `oneOf` and `anyOf` choose from, by its spelling. */
  variants: Set<string>;
  /** Numbers that bound values and lengths. */
  limits: Map<string, number>;
}

const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

/** Names of the schemas that `schema` is put together from, itself included where it stands by its name. */
export function namesWithin(schema: Json | undefined): Set<string> {
  const members = isObject(schema) ? [schema, ...listAt(schema, 'allOf')] : [];
  return new Set(members.flatMap((member) => schemaNameOf(referenceOf(member) ?? '') ?? []));
}

/** `schema` of `document`, without what comes from the schemas of the names `apart`: they are compared by themselves. */
export function flatten(document: JsonObject, schema: Json | undefined, apart: ReadonlySet<string>): FlatSchema {
  const flat: FlatSchema = {
    types: null,
    values: null,
    format: undefined,
    properties: new Map(),
    required: new Set(),
    isClosed: false,
    items: undefined,
    additional: undefined,
    variants: new Set(),
    limits: new Map(),
  };
  const open: (Json | undefined)[] = [schema];
  const seen = new Set<string>();
  for (let members = 0; open.length > 0 && members < MAX_MEMBERS; members += 1) {
    const member = open.shift();
    const reference = referenceOf(member);
    if (reference !== undefined) {
      if (seen.has(reference) || apart.has(schemaNameOf(reference) ?? '')) continue;
      seen.add(reference);
    }
    const found = resolved(document, member);
    add(flat, found);
    open.push(...listAt(found, 'allOf'));
  }
  return flat;
}

function add(flat: FlatSchema, schema: JsonObject): void {
  flat.types ??= typesOf(schema);
  flat.values ??= valuesOf(schema);
  flat.format ??= textAt(schema, 'format', 100);
  for (const [name, property] of Object.entries(objectAt(schema, 'properties'))) flat.properties.set(name, property);
  for (const name of listAt(schema, 'required').filter(isText)) flat.required.add(name);
  const additional = own(schema, 'additionalProperties');
  if (additional === false) flat.isClosed = true;
  if (isObject(additional)) flat.additional ??= additional;
  flat.items ??= own(schema, 'items');
  for (const key of ['oneOf', 'anyOf']) {
    for (const variant of listAt(schema, key)) flat.variants.add(canonical(variant));
  }
  for (const key of LIMITS) {
    const limit = own(schema, key);
    if (typeof limit === 'number' && !flat.limits.has(key)) flat.limits.set(key, limit);
  }
}

function typesOf(schema: JsonObject): Set<string> | null {
  const type = own(schema, 'type');
  const types = (Array.isArray(type) ? type : [type]).filter((one) => isText(one));
  if (types.length === 0) return null;
  return new Set(own(schema, 'nullable') === true ? [...types, 'null'] : types);
}

function valuesOf(schema: JsonObject): Map<string, Json> | null {
  const constant = own(schema, 'const');
  const values = constant === undefined ? own(schema, 'enum') : [constant];
  return Array.isArray(values) ? new Map(values.map((value) => [canonical(value), value])) : null;
}
