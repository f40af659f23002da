import { cut, isObject, type JsonObject, listAt, objectAt, own, textAt } from './json.js';
import { isText, type Method, operationsOf, schemasOf } from './parts.js';

/** Characters that are kept of names, titles and texts. */
const MAX_NAME = 200;
const MAX_TITLE = 500;
const MAX_TEXT = 5000;
/** Tags of one operation that are kept. */
const MAX_TAGS = 50;

/** Some operations under a name, and how their page is to look. */
export interface DescribedTag {
  name: string;
  /** To be shown in place of the name. */
  title?: string;
  description?: string;
  icon?: string;
  /** Name of the tag that it stands under. */
  parent?: string;
}

/** What somebody can call, or is called with. */
export interface DescribedOperation {
  /** In small letters. */
  method: Method;
  /** A path with its parameters in braces, or the name of a webhook. */
  path: string;
  isWebhook: boolean;
  operationId?: string;
  summary?: string;
  description?: string;
  isDeprecated: boolean;
  /** Names of its tags. */
  tags: string[];
}

/** What a description is about, without the shapes of what is sent and answered. */
export interface Outline {
  /** The format: `2.0`, `3.0.3`. */
  format: string;
  title: string;
  description?: string;
  /** Those that are declared, in that order; then those that operations name, as they come. */
  tags: DescribedTag[];
  /** In the order of the document. */
  operations: DescribedOperation[];
  /** Names of schemas, in the order of the document. */
  schemas: string[];
}

/** The outline of a description that was checked. */
export function outlineOf(document: JsonObject): Outline {
  const info = objectAt(document, 'info');
  const description = textAt(info, 'description', MAX_TEXT);
  const operations = [...operationsOf(document)].map(({ method, path, isWebhook, operation }) => {
    const operationId = textAt(operation, 'operationId', MAX_NAME);
    const summary = textAt(operation, 'summary', MAX_TITLE);
    const text = textAt(operation, 'description', MAX_TEXT);
    return {
      method,
      path,
      isWebhook,
      ...(operationId !== undefined && { operationId }),
      ...(summary !== undefined && { summary }),
      ...(text !== undefined && { description: text }),
      isDeprecated: own(operation, 'deprecated') === true,
      tags: namesOf(operation),
    };
  });
  return {
    format: textAt(document, 'openapi', MAX_NAME) ?? '2.0',
    title: textAt(info, 'title', MAX_TITLE) ?? '',
    ...(description !== undefined && { description }),
    tags: tagsOf(document, operations),
    operations,
    schemas: Object.keys(schemasOf(document)).map((name) => cut(name, MAX_NAME)),
  };
}

function namesOf(operation: JsonObject): string[] {
  const names = listAt(operation, 'tags').filter(isText);
  return [...new Set(names.slice(0, MAX_TAGS).map((name) => cut(name, MAX_NAME)))];
}

function tagsOf(document: JsonObject, operations: readonly DescribedOperation[]): DescribedTag[] {
  const tags = new Map<string, DescribedTag>();
  for (const tag of listAt(document, 'tags')) {
    const name = isObject(tag) ? textAt(tag, 'name', MAX_NAME) : undefined;
    if (isObject(tag) && name !== undefined && !tags.has(name)) tags.set(name, tagOf(name, tag));
  }
  for (const name of operations.flatMap((operation) => operation.tags)) {
    if (!tags.has(name)) tags.set(name, { name });
  }
  return [...tags.values()];
}

function tagOf(name: string, tag: JsonObject): DescribedTag {
  const title = textAt(tag, 'x-page-title', MAX_TITLE) ?? textAt(tag, 'x-displayName', MAX_TITLE);
  const description = textAt(tag, 'x-page-description', MAX_TEXT) ?? textAt(tag, 'description', MAX_TEXT);
  const icon = textAt(tag, 'x-page-icon', MAX_NAME);
  const parent = textAt(tag, 'x-parent', MAX_NAME) ?? textAt(tag, 'parent', MAX_NAME);
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    ...(parent !== undefined && { parent }),
  };
}
