import type { DescribedOperation, DescribedTag, Outline } from '../../openapi/index.js';

/** Pages that one description becomes, at the most; what does not fit in is left out. */
const MAX_PAGES = 1000;
/** How deep tags stand under each other; deeper ones stand at the top. */
const MAX_NESTING = 8;
/** Names of schemas on the page of models, at the most. */
const MAX_SCHEMAS = 1000;

/** What a generated page shows (decision 3.69); `page` is the {@link OpenApiPage.name} of the page. */
export type OpenApiDoc = { doc: 'models' } | { doc: 'operations' | 'info'; page: string };

/** A page that a description of an API becomes. */
export interface OpenApiPage {
  kind: 'tag' | 'operation' | 'webhook' | 'models';
  /** What tells it from others of its kind, whatever their order: a tag, or the method and path of an operation without. */
  name: string;
  doc: OpenApiDoc;
  title: string;
  icon?: string;
  /** Markdown. */
  description?: string;
  operations: readonly DescribedOperation[];
  schemas: readonly string[];
  pages: OpenApiPage[];
}

/** What a place-holder asks for, as it is stored: everything, with or without models, or one page. */
export interface OpenApiProps {
  models?: boolean;
  doc?: 'models' | 'operations' | 'info';
  page?: string;
}

/** Pages of outlines, for as long as these are kept: neither ever changes. */
const made = new WeakMap<Outline, readonly OpenApiPage[]>();

/**
 * The pages of a description: one for each tag, in the order of the tags and below the tag that it names as its parent;
 * one for each operation without tags; and one for the models, where there are any.
 */
export function openApiPages(outline: Outline): readonly OpenApiPage[] {
  const pages = made.get(outline) ?? pagesOf(outline);
  made.set(outline, pages);
  return pages;
}

function pagesOf(outline: Outline): OpenApiPage[] {
  const ofTag = new Map<string, DescribedOperation[]>();
  for (const operation of outline.operations) {
    for (const tag of operation.tags) {
      const known = ofTag.get(tag);
      if (known) known.push(operation);
      else ofTag.set(tag, [operation]);
    }
  }
  const models = outline.schemas.length > 0 ? [modelsOf(outline.schemas)] : [];
  const tags = outline.tags.slice(0, MAX_PAGES - models.length);
  const alone = outline.operations.filter((operation) => operation.tags.length === 0);
  const rest = alone.slice(0, MAX_PAGES - models.length - tags.length).map(pageOfOperation);
  return [...nested(tags, (tag) => pageOfTag(tag, ofTag.get(tag.name) ?? [])), ...rest, ...models];
}

/** Those of `pages` that a place-holder asks for; none where what it asks for is not there. */
export function askedFor(pages: readonly OpenApiPage[], { models, doc, page }: OpenApiProps): readonly OpenApiPage[] {
  if (doc === undefined) return models === true ? pages : pages.filter((one) => one.kind !== 'models');
  const isAsked = (one: OpenApiPage): boolean =>
    doc === 'models' ? one.kind === 'models' : one.kind !== 'models' && one.name === page;
  const found = [...flat(pages)].find(isAsked);
  return found ? [{ ...found, pages: [] }] : [];
}

/** `pages` and all below them. */
export function* flat(pages: readonly OpenApiPage[]): Generator<OpenApiPage> {
  for (const page of pages) {
    yield page;
    yield* flat(page.pages);
  }
}

function nested(tags: readonly DescribedTag[], pageOf: (tag: DescribedTag) => OpenApiPage): OpenApiPage[] {
  const pages = new Map(tags.map((tag) => [tag.name, pageOf(tag)]));
  const parents = new Map(tags.map(({ name, parent }) => [name, parent]));
  const top: OpenApiPage[] = [];
  for (const { name, parent } of tags) {
    const page = pages.get(name);
    const above = isPlaced(name, parents) && parent !== undefined ? pages.get(parent) : undefined;
    if (page) (above?.pages ?? top).push(page);
  }
  return top;
}

/** Whether the way up from `name` comes to an end soon enough: not where tags name each other. */
function isPlaced(name: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  let depth = 1;
  for (let above = parents.get(name); above !== undefined; above = parents.get(above)) {
    depth += 1;
    if (depth > MAX_NESTING) return false;
  }
  return true;
}

function pageOfTag(tag: DescribedTag, operations: DescribedOperation[]): OpenApiPage {
  const { name, title, icon, description } = tag;
  return {
    kind: 'tag',
    name,
    doc: { doc: operations.length > 0 ? 'operations' : 'info', page: name },
    title: oneLine(title ?? name) || 'Untitled',
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description }),
    operations,
    schemas: [],
    pages: [],
  };
}

function pageOfOperation(operation: DescribedOperation): OpenApiPage {
  const { method, path, isWebhook } = operation;
  const name = `${method.toUpperCase()} ${path}`;
  const doc: OpenApiDoc = { doc: 'operations', page: name };
  const kind = isWebhook ? 'webhook' : 'operation';
  return { kind, name, doc, title: titleOf(operation), operations: [operation], schemas: [], pages: [] };
}

function modelsOf(schemas: readonly string[]): OpenApiPage {
  const doc: OpenApiDoc = { doc: 'models' };
  return {
    kind: 'models',
    name: '',
    doc,
    title: 'Models',
    operations: [],
    schemas: schemas.slice(0, MAX_SCHEMAS),
    pages: [],
  };
}

/** What an operation is called: its summary, or else its method and path. */
export const titleOf = (operation: DescribedOperation): string => oneLine(operation.summary ?? '') || callOf(operation);

/** Method and path of an operation: `GET /pets/{id}`. */
export const callOf = ({ method, path }: DescribedOperation): string => `${method.toUpperCase()} ${oneLine(path)}`;

/** A text of somebody else's without line ends and what else has no place in a line. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
