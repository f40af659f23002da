import { isObject, type Json, type JsonObject, objectAt, own } from './json.js';
import { resolved } from './references.js';

/** What an operation of a path is called by. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export type Method = (typeof METHODS)[number];

/** An operation where it stands. */
export interface PlacedOperation {
  /** A path, or the name of a webhook. */
  path: string;
  method: Method;
  isWebhook: boolean;
  operation: JsonObject;
  /** What holds it, and may hold parameters for all that it holds. */
  item: JsonObject;
}

/** Every operation of a description that was checked, in its order: paths, then webhooks. */
export function* operationsOf(document: JsonObject): Generator<PlacedOperation> {
  for (const key of ['paths', 'webhooks']) {
    for (const [path, value] of Object.entries(objectAt(document, key))) {
      if (key === 'paths' && path.startsWith('x-')) continue;
      const item = resolved(document, value);
      for (const [method, operation] of Object.entries(item)) {
        if (isMethod(method) && isObject(operation)) {
          yield { path, method, isWebhook: key === 'webhooks', operation, item };
        }
      }
    }
  }
}

/** The schemas that a description gives names to. */
export function schemasOf(document: JsonObject): JsonObject {
  const isOld = own(document, 'openapi') === undefined;
  return isOld ? objectAt(document, 'definitions') : objectAt(objectAt(document, 'components'), 'schemas');
}

/** The name of the schema that `reference` leads to; `undefined` for a reference to something else. */
export function schemaNameOf(reference: string): string | undefined {
  const [, name] = /^#\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(reference) ?? [];
  return name === undefined ? undefined : unescaped(name);
}

export const isText = (value: Json | undefined): value is string => typeof value === 'string';

const isMethod = (key: string): key is Method => METHODS.some((method) => method === key);

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return name;
  }
}
