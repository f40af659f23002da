import { DescriptionError } from './description-error.js';
import { isObject, type Json, type JsonObject, objectAt, own } from './json.js';
import { METHODS, schemasOf } from './parts.js';
import { follow, LOOP } from './references.js';

/** Operations, and schemas, of one description at the most. */
export const MAX_PARTS = 20_000;
/** Tags of one description at the most. */
const MAX_TAGS = 5000;

/**
 * Checks what the service itself relies on, and no more: descriptions with small mistakes are everywhere, and whoever reads
 * them lives with that (decision 5.47).
 * @throws DescriptionError naming the place.
 */
export function checkStructure(document: JsonObject): void {
  const line = lineOf(document);
  const info = own(document, 'info');
  if (!isObject(info) || typeof own(info, 'title') !== 'string')
    throw new DescriptionError('info.title must be a text');
  const paths = own(document, 'paths');
  const mayLack = line === '3.1' && (own(document, 'components') ?? own(document, 'webhooks')) !== undefined;
  if (paths === undefined && !mayLack) throw new DescriptionError('paths is missing');
  checkTags(document);
  const operations =
    checkItems(document, paths ?? {}, 'paths') +
    (line === '3.1' ? checkItems(document, own(document, 'webhooks') ?? {}, 'webhooks') : 0);
  if (operations > MAX_PARTS) throw new DescriptionError(`It has more than ${String(MAX_PARTS)} operations`);
  checkComponents(document);
}

/** The line of the format that a description follows. @throws DescriptionError for any other. */
export function lineOf(document: JsonObject): '2.0' | '3.0' | '3.1' {
  const version = own(document, 'openapi') ?? own(document, 'swagger');
  if (version === '2.0' && !Object.hasOwn(document, 'openapi')) return version;
  const [, line] = (typeof version === 'string' && /^(3\.[01])\.\d{1,4}(-[\w.]{1,20})?$/.exec(version)) || [];
  if (line === '3.0' || line === '3.1') return line;
  throw new DescriptionError('It must say openapi: 3.0.x or 3.1.x, or swagger: "2.0"');
}

/** @returns how many operations there are. */
function checkItems(document: JsonObject, items: Json, at: string): number {
  if (!isObject(items)) throw new DescriptionError(`${at} must be an object`);
  let operations = 0;
  for (const [path, item] of Object.entries(items)) {
    if (at === 'paths' && path.startsWith('x-')) continue;
    if (path.length > 2048) throw new DescriptionError(`A path in ${at} is too long`);
    const found = follow(document, item);
    if (found === undefined) continue;
    if (!isObject(found)) throw new DescriptionError(`${at}.${path} must be an object`);
    const used = METHODS.filter((method) => Object.hasOwn(found, method));
    for (const method of used) checkOperation(own(found, method), `${at}.${path}.${method}`);
    operations += used.length;
  }
  return operations;
}

function checkOperation(operation: Json | undefined, at: string): void {
  if (!isObject(operation)) throw new DescriptionError(`${at} must be an object`);
  const responses = own(operation, 'responses') ?? {};
  if (!isObject(responses)) throw new DescriptionError(`${at}.responses must be an object`);
  for (const key of ['tags', 'parameters'] as const) {
    if (!Array.isArray(own(operation, key) ?? [])) throw new DescriptionError(`${at}.${key} must be a list`);
  }
}

function checkTags(document: JsonObject): void {
  const tags = own(document, 'tags') ?? [];
  if (!Array.isArray(tags)) throw new DescriptionError('tags must be a list');
  if (tags.length > MAX_TAGS) throw new DescriptionError(`It has more than ${String(MAX_TAGS)} tags`);
  for (const tag of tags) {
    if (!isObject(tag) || typeof own(tag, 'name') !== 'string')
      throw new DescriptionError('Each of tags must have a name');
  }
}

/** Components that are nothing but references to each other describe nothing, and lead readers in circles. */
function checkComponents(document: JsonObject): void {
  const schemas = Object.keys(schemasOf(document)).length;
  if (schemas > MAX_PARTS) throw new DescriptionError(`It has more than ${String(MAX_PARTS)} schemas`);
  const sections = [
    ...Object.values(objectAt(document, 'components')),
    ...['definitions', 'parameters', 'responses'].map((key) => objectAt(document, key)),
  ];
  for (const section of sections) {
    if (!isObject(section)) throw new DescriptionError('Each part of components must be an object');
    for (const [name, value] of Object.entries(section)) {
      if (follow(document, value) === LOOP) throw new DescriptionError(`${name} is a reference that leads to itself`);
    }
  }
}
