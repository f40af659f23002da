import type { Schema } from '../contract/schema.js';

/** `given` of OpenAPI 3.0 in the words of JSON Schema; every schema in it is made into what `adapt` answers first. */
export function jsonSchema(given: Schema, adapt: (schema: Schema) => Schema): Schema {
  const { nullable, properties, items, oneOf, anyOf, allOf, additionalProperties, ...rest } = adapt(given);
  const inner = (one: Schema): Schema => jsonSchema(one, adapt);
  const own: Schema = {
    ...rest,
    ...(properties && { properties: mapped(properties, inner) }),
    ...(items && { items: inner(items) }),
    ...(oneOf && { anyOf: oneOf.map(inner) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(allOf && { allOf: allOf.map(inner) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
    }),
  };
  return nullable === true ? { anyOf: [own, { type: 'null' }] } : own;
}

const mapped = (properties: Record<string, Schema>, inner: (one: Schema) => Schema): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, inner(property)]));
