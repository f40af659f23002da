import { createHash } from 'node:crypto';
import { type ContentRef, type DocumentRecord, type PageNode, urlOf } from '../../revisions/index.js';
import { withoutAnchor } from './addresses.js';
import type { Link, LinkUse } from './link.schema.js';
import type { Meaning, Meanings } from './meanings.js';

/** A link record as it is written. */
export type LinkRecord = { [K in keyof Link]: Link[K] };

/** What a page leads to. */
export interface PageTargets {
  readonly records: LinkRecord[];
  /** Every target by its key. */
  readonly targets: ReadonlyMap<string, { resource: string; ref: ContentRef; needs: boolean }>;
}

/** A link record whose places are still being collected. */
interface Collected {
  readonly uses: Map<string, LinkUse>;
  waits?: Set<string>;
}

/** Characters of a resource's key; what is longer is cut and ends in a hash, so that it can be indexed whole. */
const MAX_KEY = 300;

/** Key of what `ref` leads to in its space, without its anchor. `path`: where the words of an address lead. */
export function resourceOf(ref: ContentRef, path?: string | null): string {
  if (ref.kind === 'anchor')
    return urlOf({ kind: 'page', page: ref.page ?? '', ...(ref.space && { space: ref.space }) });
  if (ref.kind !== 'url') return urlOf(ref);
  return shortened(path === undefined ? `url:${ref.url}` : `path:${path ?? withoutAnchor(ref.url)}`);
}

/** Key of the page `id` of the space itself. */
export const pageResource = (page: string): string => urlOf({ kind: 'page', page });
/** Key of the file `id` of the space itself. */
export const fileResource = (file: string): string => urlOf({ kind: 'file', file });
/** Key of a reusable content of the space itself. */
export const reusableResource = (id: string): string => urlOf({ kind: 'reusable-content', reusableContent: id });

/** Key of a target: `resource`, or the place in it that `anchor` names. */
export function targetKey(resource: string, anchor: string): string {
  return anchor === '' ? resource : `${resource}#${shortened(anchor)}`;
}

/** What waits for the page at `path`, and for those that the way to it goes through. */
export function waitsOfPath(path: string): string[] {
  const slugs = path.split('/');
  return slugs.map((_, index) => waitOfPath(slugs.slice(0, index + 1).join('/')));
}

/** Whether a resource is an address of the space that leads nowhere. */
export const leadsNowhere = (resource: string): boolean => resource.startsWith('path:');

/** What waits for whatever happens to the page at `path`. */
export const waitOfPath = (path: string): string => shortened(`path:${path}`);
/** What waits for the return of a page or file. */
export const waitOf = ({ page, file }: NonNullable<Meaning['gone']>): string =>
  page === undefined ? `file:${file ?? ''}` : `page:${page}`;

/** All that `node` leads to, by its text and by its own fields. */
export function linksOfPage(
  space: string,
  node: PageNode,
  text?: { outline: DocumentRecord; meanings: Meanings },
): PageTargets {
  const collected = new Map<string, Collected>();
  const targets = new Map<string, { resource: string; ref: ContentRef; needs: boolean }>();
  const add = ({ ref: given, path, gone }: Meaning, under: string, needs: boolean): void => {
    const ref = within(space, given);
    const resource = resourceOf(ref, path);
    const to = ref.kind === 'anchor' ? ref.anchor : '';
    const record: Collected = collected.get(resource) ?? { uses: new Map() };
    collected.set(resource, record);
    const place = `${to} ${under}`;
    record.uses.set(place, { to, under, needs: needs || record.uses.get(place)?.needs === true });
    if (path !== undefined) {
      const waits = [...(path === null ? [] : waitsOfPath(path)), ...(gone ? [waitOf(gone)] : [])];
      record.waits = new Set([...(record.waits ?? []), ...waits]);
    }
    const key = targetKey(resource, to);
    const before = targets.get(key);
    targets.set(key, { resource, ref, needs: needs || before?.needs === true });
  };
  for (const { kind, url, under = '' } of text?.outline.links ?? []) {
    if (text) add(text.meanings.of(url), under, kind === 'image');
  }
  for (const { ref, needs } of refsOfFields(node)) add({ ref }, '', needs);
  const records = [...collected].map(([resource, { uses, waits }]) => ({
    _id: `${space} ${node.id} ${resource}`,
    space,
    page: node.id,
    resource,
    uses: [...uses.values()],
    ...(waits && { waits: [...waits] }),
  }));
  return { records, targets };
}

/** What the fields of `node` lead to: where a link page leads, its cover, what it is computed from. */
function refsOfFields({ target, cover, computed }: PageNode): { ref: ContentRef; needs: boolean }[] {
  const dependencies = isObject(computed?.dependencies) ? Object.values(computed.dependencies) : [];
  const needed = [cover?.ref, cover?.refDark, ...dependencies.map((one) => (isObject(one) ? one.ref : undefined))];
  return [
    ...[readRef(target)].flatMap((ref) => (ref ? [{ ref, needs: false }] : [])),
    ...needed.map(readRef).flatMap((ref) => (ref ? [{ ref, needs: true }] : [])),
  ];
}

/** Reads a reference that a page's field holds; `undefined` for what is none. */
function readRef(value: unknown): ContentRef | undefined {
  if (!isObject(value)) return undefined;
  const text = (name: string): string | undefined => {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  const [space, url, page, anchor, file] = ['space', 'url', 'page', 'anchor', 'file'].map(text);
  const inSpace = space === undefined ? {} : { space };
  switch (text('kind')) {
    case 'url':
      return url === undefined ? undefined : { kind: 'url', url };
    case 'page':
      return page === undefined ? undefined : { kind: 'page', page, ...inSpace };
    case 'anchor':
      return page === undefined || anchor === undefined ? undefined : { kind: 'anchor', anchor, page, ...inSpace };
    case 'file':
      return file === undefined ? undefined : { kind: 'file', file };
    case 'space':
      return space === undefined ? undefined : { kind: 'space', space };
    default:
      return readOtherRef(text, inSpace);
  }
}

function readOtherRef(text: (name: string) => string | undefined, inSpace: { space?: string }): ContentRef | undefined {
  const [user, collection, reusableContent, spec] = ['user', 'collection', 'reusableContent', 'spec'].map(text);
  switch (text('kind')) {
    case 'user':
      return user === undefined ? undefined : { kind: 'user', user };
    case 'collection':
      return collection === undefined ? undefined : { kind: 'collection', collection };
    case 'reusable-content':
      return reusableContent === undefined ? undefined : { kind: 'reusable-content', reusableContent, ...inSpace };
    case 'openapi':
      return spec === undefined ? undefined : { kind: 'openapi', spec };
    default:
      return undefined;
  }
}

/** `ref` without the name of its space where that is `own`. */
function within(own: string, ref: ContentRef): ContentRef {
  if (ref.kind === 'space' || !('space' in ref) || ref.space !== own) return ref;
  const { space: _, ...rest } = ref;
  return rest;
}

function shortened(text: string): string {
  // in ASCII alone everybody sorts alike
  const key = text.replace(/[^!-~]/gu, encodeURIComponent);
  if (key.length <= MAX_KEY) return key;
  const hash = createHash('sha256').update(key).digest('base64url');
  return `${key.slice(0, MAX_KEY - hash.length - 1)}~${hash}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
