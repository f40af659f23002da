import { canonical, isObject, type Json, type JsonObject, listAt, objectAt, own, textAt } from './json.js';
import { isText, type PlacedOperation } from './parts.js';
import { referenceOf, resolved } from './references.js';

/** What a caller gives beside the body. */
export interface ParameterShape {
  /** How a message names it. */
  name: string;
  isRequired: boolean;
  schema: Json | undefined;
}

/** Bodies by their media type. */
export type Content = Map<string, Json | undefined>;

/** What is sent and answered, told alike for all versions of the format. */
export interface Shape {
  /** By place and name; those of the path by their place in it, as their names are nobody's business. */
  parameters: Map<string, ParameterShape>;
  body: { isRequired: boolean; content: Content } | null;
  /** By status. */
  responses: Map<string, Content>;
  /** Ways to sign in, of which one will do: names of what each takes. */
  security: Set<string>[];
}

const JSON_TYPE = 'application/json';

/** The shape of an operation of `document`. */
export function shapeOf(document: JsonObject, placed: PlacedOperation): Shape {
  const parameters = parametersOf(document, placed);
  const { operation } = placed;
  const isOld = own(document, 'openapi') === undefined;
  return {
    parameters: new Map(parameters.flatMap((parameter) => parameterShape(placed.path, parameter))),
    body: isOld ? oldBody(document, operation, parameters) : newBody(document, operation),
    responses: responsesOf(document, operation, isOld),
    security: securityOf(document, operation),
  };
}

/**
 * A text that is equal for operations that are described alike: with what it refers to, but for schemas, which are compared
 * by themselves, and without the order of keys.
 */
export function spellingOf(document: JsonObject, placed: PlacedOperation): string {
  const { operation } = placed;
  const body = own(operation, 'requestBody');
  const responses = Object.entries(objectAt(operation, 'responses')).map(([status, value]): [string, Json] => [
    status,
    resolved(document, value),
  ]);
  return canonical({
    ...operation,
    parameters: parametersOf(document, placed),
    ...(body !== undefined && { requestBody: resolved(document, body) }),
    responses: Object.fromEntries(responses),
    security: own(operation, 'security') ?? own(document, 'security') ?? [],
  });
}

/** Parameters of the operation, then those of its path that it does not give itself. */
function parametersOf(document: JsonObject, { operation, item }: PlacedOperation): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const value of [...listAt(operation, 'parameters'), ...listAt(item, 'parameters')]) {
    const parameter = resolved(document, value);
    const key = `${textAt(parameter, 'in', 20) ?? ''} ${textAt(parameter, 'name', 500) ?? referenceOf(value) ?? ''}`;
    if (!found.has(key)) found.set(key, parameter);
  }
  return [...found.values()];
}

function parameterShape(path: string, parameter: JsonObject): [string, ParameterShape][] {
  const place = textAt(parameter, 'in', 20) ?? '';
  const name = textAt(parameter, 'name', 200) ?? '';
  // those of 2.0 that make up the body
  if (place === 'body' || place === 'formData') return [];
  const index = [...path.matchAll(/\{([^}]*)\}/g)].findIndex(([, inPath]) => inPath === name);
  const schema = own(parameter, 'schema') ?? [...contentOf(parameter).values()][0] ?? parameter;
  return [
    [
      place === 'path' ? `path ${index}` : `${place} ${place === 'header' ? name.toLowerCase() : name}`,
      { name: `parameter "${name}" (${place})`, isRequired: own(parameter, 'required') === true, schema },
    ],
  ];
}

function contentOf(holder: JsonObject): Content {
  const entries = Object.entries(objectAt(holder, 'content'));
  return new Map(entries.map(([type, value]) => [type, isObject(value) ? own(value, 'schema') : undefined]));
}

function newBody(document: JsonObject, operation: JsonObject): Shape['body'] {
  const value = own(operation, 'requestBody');
  if (value === undefined) return null;
  const body = resolved(document, value);
  return { isRequired: own(body, 'required') === true, content: contentOf(body) };
}

function oldBody(document: JsonObject, operation: JsonObject, parameters: readonly JsonObject[]): Shape['body'] {
  const body = parameters.find((parameter) => own(parameter, 'in') === 'body');
  if (body) {
    const types = typesOf(document, operation, 'consumes');
    const content = new Map(types.map((type) => [type, own(body, 'schema')]));
    return { isRequired: own(body, 'required') === true, content };
  }
  const fields = parameters.filter((parameter) => own(parameter, 'in') === 'formData');
  if (fields.length === 0) return null;
  const required = fields.filter((field) => own(field, 'required') === true).map(nameOf);
  const properties = Object.fromEntries(fields.map((field) => [nameOf(field), field]));
  const types = typesOf(document, operation, 'consumes', 'application/x-www-form-urlencoded');
  const schema: Json = { type: 'object', properties, required };
  return { isRequired: required.length > 0, content: new Map(types.map((type) => [type, schema])) };
}

const nameOf = (field: JsonObject): string => textAt(field, 'name', 200) ?? '';

function typesOf(document: JsonObject, operation: JsonObject, key: string, otherwise = JSON_TYPE): string[] {
  const own = listAt(operation, key).filter(isText);
  const types = own.length > 0 ? own : listAt(document, key).filter(isText);
  return types.length > 0 ? types : [otherwise];
}

function responsesOf(document: JsonObject, operation: JsonObject, isOld: boolean): Shape['responses'] {
  const responses = Object.entries(objectAt(operation, 'responses')).filter(([status]) => !status.startsWith('x-'));
  return new Map(
    responses.map(([status, value]) => {
      const response = resolved(document, value);
      if (!isOld) return [status, contentOf(response)];
      const schema = own(response, 'schema');
      const types = schema === undefined ? [] : typesOf(document, operation, 'produces');
      return [status, new Map(types.map((type) => [type, schema]))];
    }),
  );
}

function securityOf(document: JsonObject, operation: JsonObject): Set<string>[] {
  const given = own(operation, 'security') ?? own(document, 'security');
  const ways = (Array.isArray(given) ? given : []).filter(isObject).map((way) => new Set(Object.keys(way)));
  return ways.length > 0 ? ways : [new Set()];
}
