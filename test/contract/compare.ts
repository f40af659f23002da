import type { Field, Parameter } from './contract.js';
import { alternatives, type Resolve, type Schema } from './schema.js';

/** Limits that must be the same on both sides. */
const EXACT = ['pattern', 'default', 'format', 'minItems'] as const;
/** Limits that the service may add where the contract has none: nothing is taken without an end. */
const BOUNDS = ['maxLength', 'maximum', 'maxItems', 'minimum'] as const;

const isNumber = (type?: string): boolean => type === 'number' || type === 'integer';
const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
const values = (list: readonly unknown[] = []): string[] =>
  list
    .filter((one) => one !== null)
    .map(String)
    .toSorted();

/** What a schema of the contract and a described one are compared with. */
export interface Sides {
  contract: Resolve;
  served: Resolve;
}

/** In what the described schema of a body differs from that of the contract; a sentence for each difference. */
export function compareBody(where: string, contract: Schema, served: Schema, sides: Sides, depth = 0): string[] {
  const wanted = sides.contract(contract);
  const found = sides.served(served);
  if (depth > 8) return [];
  if (wanted.oneOf) return compareAlternatives(where, wanted.oneOf, found, sides, depth);
  return [
    ...compareValue(where, wanted, found),
    ...Object.entries(wanted.properties ?? {}).flatMap(([name, property]) => {
      const own = found.properties?.[name];
      if (!own) return [`${where}.${name} is not described`];
      const isRequired = found.required?.includes(name) ?? false;
      const mustBe = wanted.required?.includes(name) ?? false;
      const differs = isRequired === mustBe ? [] : [`${where}.${name} is ${isRequired ? '' : 'not '}required`];
      return [...differs, ...compareBody(`${where}.${name}`, property, own, sides, depth + 1)];
    }),
    ...Object.keys(found.properties ?? {})
      .filter((name) => wanted.properties && !(name in wanted.properties))
      .map((name) => `${where}.${name} is not of the contract`),
    ...(wanted.items ? compareBody(`${where}[]`, wanted.items, found.items ?? {}, sides, depth + 1) : []),
  ];
}

/** Each alternative of the contract must be met by one that is described. */
function compareAlternatives(where: string, wanted: Schema[], found: Schema, sides: Sides, depth: number): string[] {
  const offered = alternatives(found);
  return wanted.flatMap((one, place) => {
    const tries = offered.map((own) => compareBody(`${where}|${String(place)}`, one, own, sides, depth + 1));
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

function compareValue(where: string, wanted: Schema, found: Schema): string[] {
  const differences: string[] = [];
  const differ = (what: string, ours: unknown, theirs: unknown): void => {
    differences.push(`${where}: ${what} is ${shown(ours)} instead of ${shown(theirs)}`);
  };
  const isSameType = found.type === wanted.type || (isNumber(found.type) && isNumber(wanted.type));
  if (wanted.type !== undefined && !isSameType) differ('type', found.type, wanted.type);
  if (Boolean(wanted.nullable) !== Boolean(found.nullable)) differ('nullable', found.nullable, wanted.nullable);
  if (wanted.enum && shown(values(wanted.enum)) !== shown(values(found.enum))) differ('enum', found.enum, wanted.enum);
  if (found.enum?.includes(null) && !found.nullable) differ('enum with null', found.enum, wanted.enum);
  for (const limit of EXACT) {
    if (shown(wanted[limit]) !== shown(found[limit])) differ(limit, found[limit], wanted[limit]);
  }
  for (const limit of BOUNDS) {
    if (wanted[limit] !== undefined && wanted[limit] !== found[limit]) differ(limit, found[limit], wanted[limit]);
  }
  if ((wanted.minLength ?? 0) !== (found.minLength ?? 0)) differ('minLength', found.minLength, wanted.minLength);
  return differences;
}

/** In what a described query parameter differs from that of the contract. */
export function compareParameter(
  where: string,
  wanted: Parameter,
  found: { required?: boolean; schema?: Schema } | undefined,
  served: Resolve,
): string[] {
  if (!found?.schema) return [`${where} is not described`];
  const { min, max, required, ...limits } = wanted;
  const differs = Boolean(found.required) === required ? [] : [`${where} is ${found.required ? '' : 'not '}required`];
  const contract: Schema = {
    ...limits,
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  };
  const schema = served(found.schema);
  const items = wanted.items ? compareValue(`${where}[]`, wanted.items, served(schema.items ?? {})) : [];
  return [...differs, ...compareValue(where, contract, schema), ...items];
}

/** In what a described answer differs from the fields of a resource. */
export function compareFields(
  where: string,
  fields: Record<string, Field>,
  answer: Schema,
  served: Resolve,
  depth = 0,
): string[] {
  const shapes = alternatives(served(answer)).map(served);
  return Object.entries(fields).flatMap(([name, field]) => {
    const here = `${where}.${name}`;
    const having = shapes.filter(({ properties }) => properties && name in properties);
    if (having.length === 0) return [`${here} is not described`];
    const missing = shapes.some(({ required }) => !required?.includes(name));
    const optional = field.required === 'Y' && missing ? [`${here} may be missing`] : [];
    return [
      ...optional,
      ...having.flatMap(({ properties }) => compareField(here, field, properties?.[name] ?? {}, served, depth)),
    ];
  });
}

function compareField(
  where: string,
  { type, values: all, members }: Field,
  found: Schema,
  served: Resolve,
  depth: number,
): string[] {
  const schema = served(found);
  const isList = type?.endsWith('[]') === true;
  const one = isList ? served(schema.items ?? {}) : schema;
  const differences: string[] = [];
  const kind = type?.replace(/\[\]$|\|null$/g, '').replace('date-time', 'string');
  if (isList && schema.type !== 'array') differences.push(`${where} is no list`);
  else if (
    kind !== undefined &&
    one.type !== undefined &&
    one.type !== kind &&
    !(isNumber(one.type) && isNumber(kind))
  ) {
    differences.push(`${where}: type is ${shown(one.type)} instead of ${shown(kind)}`);
  }
  if (type === 'date-time' && one.format !== 'date-time') differences.push(`${where} is not described as a moment`);
  const strange = values(one.enum).filter((value) => all && !all.includes(value));
  if (strange.length > 0) differences.push(`${where} can be ${strange.join(', ')}, which the contract does not have`);
  return members && depth < 4
    ? [...differences, ...compareFields(where, members, one, served, depth + 1)]
    : differences;
}
