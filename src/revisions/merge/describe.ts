import type { ChunkMap } from '../chunk-map.js';
import { ContentTree } from '../content-tree.js';
import { childRange, orderEntryKey, type FileEntry, type PageNode, type ReusableContent } from '../entries.js';
import type { Json } from '../json.js';
import type { FoundConflict, MergeConflict } from './conflicts.js';
import { pick } from './merge-items.js';
import { shownProperty } from './merge-values.js';
import { SIDES, type Sides, type Versions } from './sides.js';
import type { Texts } from './text-merge.js';

/** Characters of Markdown that conflicts carry in all. */
const MAX_TEXT = 4 * 1024 * 1024;
const CONTENTS = ['base', ...SIDES] as const;
type Content = (typeof CONTENTS)[number];
type Item = PageNode | FileEntry | ReusableContent;
type Values = Partial<Record<Content, Json>>;

/** Looks up paths and values of conflicts (decision 4.4). */
export async function describe(found: readonly FoundConflict[], sides: Sides, texts: Texts): Promise<MergeConflict[]> {
  const paths = await pathsOf(found, sides);
  const described: MergeConflict[] = [];
  let room = MAX_TEXT;
  for (const conflict of found) {
    const { item, kind, property } = conflict;
    const versions = versionsOf(conflict, sides);
    const path = item.page === undefined ? nameOf(versions) : paths.get(item.page);
    const about = {
      ...item,
      ...(typeof path === 'string' && { path }),
      kind,
      ...(property !== undefined && { property }),
    };
    if (kind === 'position') {
      described.push({ ...about, ...(await positions(versions as Versions<PageNode>, sides)) });
    } else if (kind === 'property') {
      described.push({ ...about, ...each(versions, (version) => shown(version, property ?? '')) });
    } else {
      const values = room > 0 ? await markdowns(versions, texts) : {};
      room -= JSON.stringify(values).length;
      described.push({ ...about, ...values });
    }
  }
  return described;
}

/** Paths of the pages, in primary content where they are there, else in the change request. */
async function pathsOf(found: readonly FoundConflict[], { maps, pages }: Sides): Promise<Map<string, string | null>> {
  const paths = new Map<string, string | null>();
  for (const side of SIDES) {
    const ids = found.flatMap(({ item }) => pages.get(item.page ?? '')?.[side]?.id ?? []);
    for (const [id, { path }] of await new ContentTree(maps[side]).findPlaced(ids)) paths.set(id, path);
  }
  return paths;
}

function versionsOf({ item }: FoundConflict, sides: Sides): Versions<Item> {
  const { page, file, reusableContent } = item;
  const versions =
    (page !== undefined && sides.pages.get(page)) ||
    (file !== undefined && sides.files.get(file)) ||
    (reusableContent !== undefined && sides.reusableContents.get(reusableContent));
  if (!versions) throw new Error('A conflict is about something that nobody changed');
  return versions;
}

function nameOf({ base, ours, theirs }: Versions<Item>): string | undefined {
  const item = theirs ?? ours ?? base;
  return item === null ? undefined : 'name' in item ? item.name : item.title;
}

function each(versions: Versions<Item>, value: (version: Item) => Json | undefined): Values {
  const values: Values = {};
  for (const content of CONTENTS) {
    const version = versions[content];
    const shownValue = version === null ? undefined : value(version);
    if (shownValue !== undefined) values[content] = shownValue;
  }
  return values;
}

function shown(version: Item, property: string): Json {
  if ('kind' in version) return shownProperty(version, property);
  if (!('name' in version)) return version.title;
  return property === 'name' ? version.name : pick(version, ['contentType', 'size', 'dimensions']);
}

async function markdowns(versions: Versions<Item>, texts: Texts): Promise<Values> {
  const keys = Object.values(versions).flatMap((version) => documentOf(version as Item | null) ?? []);
  const found = await texts.read(keys);
  return each(versions, (version) => {
    const key = documentOf(version);
    return key === undefined ? nameOf({ base: version, ours: null, theirs: null }) : (found.get(key) ?? '');
  });
}

function documentOf(version: Item | null): string | undefined {
  return version !== null && 'document' in version ? version.document : undefined;
}

/** Where the page lies in each content, in the terms of an edit: under which page, and how many siblings come before. */
async function positions(versions: Versions<PageNode>, { maps }: Sides): Promise<Values> {
  const values: Values = {};
  for (const content of CONTENTS) {
    const node = versions[content];
    if (node !== null) values[content] = { into: node.parent, at: await placeAmong(maps[content], node) };
  }
  return values;
}

async function placeAmong(map: ChunkMap, { parent, order }: PageNode): Promise<number> {
  return (await map.rank(orderEntryKey(parent, order))) - (await map.rank(childRange(parent).from));
}
