/** As much of JSON Schema as the contract and the served description use. */
export interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

/** Follows references, and unites what stands beside them. */
export type Resolve = (schema: Schema) => Schema;

/** Resolves references into `schemas`, which are found by the last part of the reference. */
export function resolver(schemas: Record<string, Schema>): Resolve {
  const resolve: Resolve = (schema) => {
    const { $ref, allOf, ...rest } = schema;
    if ($ref !== undefined) {
      const name = $ref.split('/').at(-1) ?? '';
      const found = schemas[name];
      if (!found) throw new Error(`There is no schema ${name}`);
      return { ...resolve(found), ...rest };
    }
    if (allOf === undefined) return schema;
    return allOf.map(resolve).reduce<Schema>((all, part) => united(all, part), rest);
  };
  return resolve;
}

function united(a: Schema, b: Schema): Schema {
  return {
    ...b,
    ...a,
    ...((a.properties ?? b.properties) && { properties: { ...b.properties, ...a.properties } }),
    ...((a.required ?? b.required) && { required: [...(b.required ?? []), ...(a.required ?? [])] }),
  };
}

/** The alternatives of a schema; itself where there are none. */
export const alternatives = (schema: Schema): Schema[] => schema.oneOf ?? schema.anyOf ?? [schema];
