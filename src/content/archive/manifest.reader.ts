import { batchesOf } from '../../common/batches-of.js';
import { newId } from '../../common/ids.js';
import {
  ContentError,
  type DocumentRecord,
  type FileEntry,
  type JsonObject,
  MAX_DEPTH,
  refOf,
  respell,
  urlOf,
} from '../../revisions/index.js';
import type { BookSource } from '../import/book-source.js';
import type { FolderRun } from '../import/folder-run.js';
import type { Found, FoundPage, FoundTarget, KnownFields } from '../import/found.js';
import { decodeUtf8 } from '../import/utf8.js';
import { fromFrontMatter } from '../page-metadata.js';
import { checkComputed } from '../changes/computed-source.js';
import { refOfShape } from '../changes/content-refs.js';
import { MANIFEST } from './layout.js';
import { fingerprint, type Manifest, type ManifestLinks, type ManifestPage } from './manifest.js';

/** Texts that are in memory at once. */
const BATCH = 64;

/** New ids for things whose own is taken where they go; all others keep theirs. */
type NewIds = ReadonlyMap<string, string>;

/** What the files of an archive came to, by id in the manifest. */
interface Stored {
  texts: Map<string, DocumentRecord>;
  files: Map<string, FileEntry>;
  /** Pages whose text is not the one that the manifest was written with. */
  edited: Set<string>;
  missing: string[];
}

/**
 * Reads an archive by its manifest.
 *
 * @param taken Ids of pages, files and reusable contents that are in use where it goes.
 * @throws BadRequestException for a manifest whose pages do not fit together.
 */
export async function readByManifest(
  run: FolderRun,
  source: BookSource,
  { manifest, taken }: { manifest: Manifest; taken: ReadonlySet<string> },
): Promise<Found> {
  checkTree(run, manifest);
  const ids = newIdsOf(manifest, taken);
  const stored = await store(run, source, { manifest, ids });
  const below = new Map<string | undefined, ManifestPage[]>();
  for (const page of manifest.pages) {
    const siblings = below.get(page.parent);
    if (siblings) siblings.push(page);
    else below.set(page.parent, [page]);
  }
  const toFound = (page: ManifestPage, above: string | undefined): FoundPage => {
    const path = [above, page.slug].filter((part) => part !== undefined).join('/');
    return {
      ...foundPage(run, page, { ids, stored }),
      ...(page.slug !== undefined && { path }),
      children: (below.get(page.id) ?? []).map((child) => toFound(child, path)),
    };
  };
  const reusableContents = manifest.reusableContents.flatMap(({ id, title }) => {
    const document = stored.texts.get(id);
    return document ? [{ id: ids.get(id) ?? id, title, document: document._id }] : [];
  });
  const documents = manifest.pages.filter(({ kind }) => kind === 'document').length + manifest.reusableContents.length;
  return {
    pages: (below.get(undefined) ?? []).map((page) => toFound(page, undefined)),
    files: [...stored.files.values()],
    reusableContents,
    missing: stored.missing,
    total: documents + manifest.files.length,
    imported: stored.texts.size + stored.files.size,
  };
}

/** @throws BadRequestException unless every id stands once, and parents before what is below them. */
function checkTree(run: FolderRun, { pages, files, reusableContents }: Manifest): void {
  if (pages.length > run.maxPages) throw run.refuse(`it has more than ${String(run.maxPages)} pages`);
  const seen = new Set<string>();
  const see = (id: string): void => {
    if (seen.has(id)) throw run.refuse(`${MANIFEST} names ${id} twice`);
    seen.add(id);
  };
  const depths = new Map<string, number>();
  for (const { id, parent } of pages) {
    const above = parent === undefined ? 0 : depths.get(parent);
    if (above === undefined) {
      throw run.refuse(`${MANIFEST}: the page ${id} stands before its parent ${parent ?? ''}, or there is none`);
    }
    if (above >= MAX_DEPTH)
      throw run.refuse(`${MANIFEST}: the page ${id} lies deeper than ${String(MAX_DEPTH)} levels`);
    depths.set(id, above + 1);
    see(id);
  }
  for (const { id } of [...files, ...reusableContents]) see(id);
}

function newIdsOf({ pages, files, reusableContents }: Manifest, taken: ReadonlySet<string>): NewIds {
  const ids = [...pages, ...files, ...reusableContents].map(({ id }) => id);
  return new Map(ids.filter((id) => taken.has(id)).map((id) => [id, newId()]));
}

async function store(
  run: FolderRun,
  source: BookSource,
  { manifest, ids }: { manifest: Manifest; ids: NewIds },
): Promise<Stored> {
  const stored: Stored = { texts: new Map(), files: new Map(), edited: new Set(), missing: [] };
  const documents = [...manifest.pages.filter(({ kind }) => kind === 'document'), ...manifest.reusableContents];
  for (const batch of batchesOf(documents, BATCH)) {
    await storeTexts(run, source, { documents: batch, ids, stored });
  }
  const named = new Map(manifest.files.map((file) => [file.file, file]));
  const { files } = await run.storeFiles(named.keys(), async (name) => {
    const file = named.get(name);
    const bytes = await source.read(name);
    if (!bytes) stored.missing.push(name);
    return file && bytes && { name: file.name, contentType: file.contentType, bytes };
  });
  for (const { id, file } of manifest.files) {
    const entry = files.get(file);
    if (entry) stored.files.set(id, { ...entry, id: ids.get(id) ?? id });
  }
  return stored;
}

async function storeTexts(
  run: FolderRun,
  source: BookSource,
  {
    documents,
    ids,
    stored,
  }: { documents: { id: string; file?: string; text?: string }[]; ids: NewIds; stored: Stored },
): Promise<void> {
  const read: [id: string, text: string][] = [];
  for (const { id, file = '', text: print } of documents) {
    const bytes = file === '' ? undefined : await source.read(file);
    if (!bytes) stored.missing.push(file);
    const text = bytes && decodeUtf8(bytes);
    if (bytes && text === undefined) throw run.refuse(`${file} is no text in UTF-8`);
    if (bytes && print !== fingerprint(bytes)) stored.edited.add(id);
    if (text !== undefined) read.push([id, text]);
  }
  const records = checked(run, await run.storeTexts(read.map(([, text]) => text)));
  // addresses that name an id which is another one now
  const renamed = read.map(([, text], index) => respelled(text, records[index], ids));
  const changed = renamed.flatMap((text) => text ?? []);
  const again = changed.length === 0 ? [] : checked(run, await run.storeTexts(changed));
  for (const [index, [id]] of read.entries()) {
    const record = renamed[index] === undefined ? records[index] : again.shift();
    if (record) stored.texts.set(id, record);
  }
}

function checked(run: FolderRun, records: readonly (DocumentRecord | ContentError)[]): DocumentRecord[] {
  return records.map((record) => {
    if (record instanceof ContentError) throw run.refuse(record.message);
    return record;
  });
}

/** `text` with the new ids in its addresses; `undefined` when it names none of them. */
function respelled(text: string, record: DocumentRecord | undefined, ids: NewIds): string | undefined {
  if (!record || ids.size === 0) return undefined;
  const changed = respell(text, record.links, ({ url }) => {
    const ref = refOf(url);
    if ('space' in ref) return undefined;
    if ((ref.kind === 'page' || ref.kind === 'anchor') && ref.page !== undefined && ids.has(ref.page)) {
      return urlOf({ ...ref, page: ids.get(ref.page) ?? ref.page });
    }
    if (ref.kind === 'file' && ids.has(ref.file)) return urlOf({ ...ref, file: ids.get(ref.file) ?? ref.file });
    if (ref.kind === 'reusable-content' && ids.has(ref.reusableContent)) {
      return urlOf({ ...ref, reusableContent: ids.get(ref.reusableContent) ?? ref.reusableContent });
    }
    return undefined;
  });
  return changed === text ? undefined : changed;
}

function foundPage(
  run: FolderRun,
  page: ManifestPage,
  { ids, stored }: { ids: NewIds; stored: Stored },
): Omit<FoundPage, 'children'> {
  const { id, kind, title = 'Untitled', links } = page;
  const text = stored.texts.get(id);
  return {
    id: ids.get(id) ?? id,
    kind,
    title,
    fallback: title,
    fields: { ...fieldsOf(run, page, ids), ...(stored.edited.has(id) && fromFrontMatter(text?.frontMatter)) },
    ...(text && { text }),
    ...(page.fileKept === true && page.file !== undefined && { source: page.file }),
    ...(links && { target: (address: string) => targetOf(links, address, ids) }),
  };
}

/** The fields of a page besides its title, text and place. @throws BadRequestException for what none can have. */
function fieldsOf(run: FolderRun, page: ManifestPage, ids: NewIds): KnownFields {
  const { slug, slugSet, emoji, icon, description, hidden, noIndex, noRobotsIndex, href, computedSeed } = page;
  const { createdAt, updatedAt, git, layout, cover } = page;
  try {
    return {
      ...{ slug, slugSet: slugSet === true, emoji, icon, description, hidden, noIndex, noRobotsIndex, href },
      ...{ computedSeed, createdAt, updatedAt },
      ...(git && { git: { oid: git.oid, path: git.path } }),
      ...(layout && { layout: { ...layout } }),
      ...(cover && { cover: coverOf(cover, ids) }),
      ...(page.kind === 'link' && page.target && { target: renamed(refOfShape(page.target, 'target'), ids) }),
      ...(page.kind === 'computed' && page.computed && { computed: checkComputed(page.computed) }),
    };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    throw run.refuse(`${MANIFEST}: page ${page.id}: ${error.message}`);
  }
}

function coverOf({ ref, refDark, yPos = 0 }: NonNullable<ManifestPage['cover']>, ids: NewIds): JsonObject {
  return {
    ...(ref && { ref: renamed(refOfShape(ref, 'cover.ref'), ids) }),
    ...(refDark && { refDark: renamed(refOfShape(refDark, 'cover.refDark'), ids) }),
    yPos,
  };
}

/** `ref` with the new ids of what it names in its own space. */
function renamed(ref: JsonObject, ids: NewIds): JsonObject {
  if (ref.kind === 'space' || ref.space !== undefined) return ref;
  const fresh = ['page', 'file', 'reusableContent'].flatMap((name): [string, string][] => {
    const before = ref[name];
    const id = typeof before === 'string' ? ids.get(before) : undefined;
    return id === undefined ? [] : [[name, id]];
  });
  return { ...ref, ...Object.fromEntries(fresh) };
}

function targetOf(links: ManifestLinks, address: string, ids: NewIds): FoundTarget | undefined {
  const target = Object.hasOwn(links, address) ? links[address] : undefined;
  if (!target) return undefined;
  return 'page' in target
    ? { page: ids.get(target.page) ?? target.page }
    : { file: ids.get(target.file) ?? target.file };
}
