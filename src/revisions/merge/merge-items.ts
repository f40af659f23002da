import {
  asFile,
  asReusable,
  type FileEntry,
  fileKey,
  fileNameKey,
  reusableKey,
  type ReusableContent,
} from '../entries.js';
import type { Json, JsonObject } from '../json.js';
import { sameJson } from '../json.js';
import type { MapDraft } from '../map-draft.js';
import { itemKey, type Conflicts, type ItemRef, type Resolution } from './conflicts.js';
import type { TextVersions } from './decisions.js';
import { mergeValue } from './merge-values.js';
import type { Versions } from './sides.js';

/** What belongs together in a file: its bytes and all that is said of them. `null`: nobody's words, never a conflict. */
const FILE_PARTS: Parts<FileEntry> = [
  ['name', ['name']],
  ['content', ['blob', 'contentType', 'size', 'dimensions']],
  [null, ['git']],
];
const REUSABLE_PARTS: Parts<ReusableContent> = [
  ['title', ['title']],
  [null, ['git']],
];
type Parts<T> = readonly (readonly [property: string | null, names: readonly (keyof T & string)[]])[];

/** How items are settled, by {@link itemKey}. */
export type ItemResolutions = ReadonlyMap<string, Resolution>;

/** Merges files, by id; only those that one side changed. `null`: the file goes. */
export function mergeFiles(
  files: ReadonlyMap<string, Versions<FileEntry>>,
  resolutions: ItemResolutions,
  conflicts: Conflicts,
): Map<string, FileEntry | null> {
  const merged = new Map<string, FileEntry | null>();
  for (const [file, versions] of files)
    merged.set(file, mergeItem({ file }, versions, FILE_PARTS, resolutions, conflicts));
  return merged;
}

/** Merges reusable contents, by id; `texts` says which texts still have to be merged. */
export function mergeReusableContents(
  contents: ReadonlyMap<string, Versions<ReusableContent>>,
  resolutions: ItemResolutions,
  conflicts: Conflicts,
): { merged: Map<string, ReusableContent | null>; texts: Map<string, TextVersions> } {
  const merged = new Map<string, ReusableContent | null>();
  const texts = new Map<string, TextVersions>();
  for (const [reusableContent, versions] of contents) {
    const { base, ours, theirs } = versions;
    const item = mergeItem({ reusableContent }, versions, REUSABLE_PARTS, resolutions, conflicts);
    merged.set(reusableContent, item);
    if (item === null || ours === null || theirs === null || resolutions.has(itemKey({ reusableContent }))) continue;
    const text = mergeValue<string | undefined>(base?.document, ours.document, theirs.document);
    if (text === 'conflict') {
      texts.set(reusableContent, { base: base?.document, ours: ours.document, theirs: theirs.document });
    } else if (text.value !== undefined) {
      merged.set(reusableContent, { ...item, document: text.value });
    }
  }
  return { merged, texts };
}

/** Enters merged files into the draft. */
export async function enterFiles(draft: MapDraft, files: ReadonlyMap<string, FileEntry | null>): Promise<void> {
  for (const [id, file] of files) {
    const before = asFile(await draft.get(fileKey(id)));
    if (before !== null) draft.set(fileNameKey(before), undefined);
    draft.set(fileKey(id), file ?? undefined);
    if (file !== null) draft.set(fileNameKey(file), id);
  }
}

/** Enters merged reusable contents into the draft. */
export async function enterReusableContents(
  draft: MapDraft,
  contents: ReadonlyMap<string, ReusableContent | null>,
): Promise<void> {
  for (const [id, content] of contents) {
    const before = asReusable(await draft.get(reusableKey(id)));
    if (!sameJson(before ?? undefined, content ?? undefined)) draft.set(reusableKey(id), content ?? undefined);
  }
}

function mergeItem<T extends FileEntry | ReusableContent>(
  item: ItemRef,
  { base, ours, theirs }: Versions<T>,
  parts: Parts<T>,
  resolutions: ItemResolutions,
  conflicts: Conflicts,
): T | null {
  const resolution = resolutions.get(itemKey(item));
  if (resolution !== undefined) return resolution.use === 'primary' ? theirs : ours;
  if (ours === null || theirs === null) {
    const present = ours ?? theirs;
    if (present === null || base === null) return present;
    if (sameJson(base, present)) return null;
    conflicts.add({ item, kind: 'deleted' });
    return present;
  }
  const merged: Record<string, Json | undefined> = { ...theirs };
  for (const [property, names] of parts) {
    const value = mergeValue<JsonObject | undefined>(
      base === null ? undefined : pick(base, names),
      pick(ours, names),
      pick(theirs, names),
    );
    if (value !== 'conflict') Object.assign(merged, value.value);
    else if (property !== null) conflicts.add({ item, kind: 'property', property });
  }
  return merged as T;
}

/** The members `names` of `item`, those that are absent as `undefined`. */
export function pick<T extends object>(item: T, names: readonly (keyof T & string)[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, item[name] as Json | undefined]));
}
