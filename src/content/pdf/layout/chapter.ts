import { parsedUrl } from '../../../common/parsed-url.js';
import { childrenOf, type ContentRef, DocumentError, type DocumentNode, toDocument } from '../../../revisions/index.js';
import { sourceDocument } from '../../source-document.js';
import { MAX_INCLUSIONS } from './blocks.js';
import type { Fonts } from './fonts.js';
import type { Desk, Target, TextOf } from './job.js';
import type { Block, Fragment } from './nodes.js';
import type { Pictures } from './pictures.js';
import type { Lead, Scene } from './scene.js';

/** A chapter whose text is read, with all that it is printed with. */
export interface Chapter {
  blocks: readonly Block[];
  scene: Scene;
  /** The notes that its text came to have while it was printed. */
  notes: (readonly Fragment[])[];
}

/** What chapters are read with. */
export interface Shelf {
  desk: Desk;
  fonts: Fonts;
  pictures: Pictures;
  /** Ids of the pages that are printed. */
  printed: ReadonlySet<string>;
  /** Reusable contents that were read, by id. */
  included: Map<string, readonly Block[]>;
}

type Targets = Map<string, Target>;

/** Longest address that is made a link. */
const MAX_ADDRESS = 2048;

/** Name of the place where a page begins, or of one in it. */
export function placeName(page: string, anchor?: string): string {
  return anchor === undefined ? page : `${page}#${anchor}`;
}

/** Reads the text of a page, with what its addresses lead to and its images. */
export async function readChapter(page: string, shelf: Shelf): Promise<Chapter> {
  const targets: Targets = new Map();
  const blocks = await readText({ page }, { shelf, targets, depth: 0, depths: new Map() });
  const notes: (readonly Fragment[])[] = [];
  const { fonts, pictures, printed, included } = shelf;
  const targetOf = (ref: ContentRef): Target | undefined => targets.get(keyOf(ref));
  const scene: Scene = {
    fonts,
    lead: (ref) => leadOf(targetOf(ref), ref, page, printed),
    picture: (ref) => {
      const target = targetOf(ref);
      return target?.kind === 'file' ? pictures.find(target.file) : undefined;
    },
    included: (ref) => {
      const target = targetOf(ref);
      return (target?.kind === 'reusable-content' ? included.get(target.id) : undefined) ?? [];
    },
    note: (fragments) => notes.push(fragments),
    placeOf: (anchor) => placeName(page, anchor),
  };
  return { blocks, scene, notes };
}

/** Where `target` leads, for whoever reads page `page` of a PDF that has the pages `printed`. */
export function leadOf(
  target: Target | undefined,
  ref: ContentRef | undefined,
  page: string,
  printed: ReadonlySet<string>,
): Lead {
  if (ref?.kind === 'anchor' && ref.page === undefined) return { goTo: placeName(page, ref.anchor) };
  if (target?.kind === 'page') {
    if (printed.has(target.page)) return { title: target.title, goTo: placeName(target.page, target.anchor) };
    return { title: target.title, href: target.url };
  }
  if (target?.kind === 'file') return { title: target.name };
  if (target?.kind === 'other') return { title: target.title, href: target.url && webAddress(target.url) };
  return ref?.kind === 'url' ? { href: webAddress(ref.url) } : {};
}

interface Reading {
  shelf: Shelf;
  targets: Targets;
  depth: number;
  /** How deep the reusable contents of the chapter were read, by id. */
  depths: Map<string, number>;
}

async function readText(of: TextOf, { shelf, targets, depth, depths }: Reading): Promise<readonly Block[]> {
  const markdown = await shelf.desk.text(of);
  if (markdown === undefined) return [];
  const nodes = await nodesOf(markdown);
  const { refs, images, included } = refsIn(nodes);
  const unknown = [...refs].filter(([key]) => !targets.has(key));
  const found =
    unknown.length === 0
      ? []
      : await shelf.desk.targets(
          of,
          unknown.map(([, ref]) => ref),
        );
  for (const [index, [key]] of unknown.entries()) {
    const target = found[index];
    if (target) targets.set(key, target);
  }
  for (const key of images) await readImage(targets.get(key), shelf);
  for (const key of included) {
    const target = targets.get(key);
    if (target?.kind !== 'reusable-content' || depth >= MAX_INCLUSIONS) continue;
    // read again only where more of what it holds is within reach: else they would multiply
    if ((depths.get(target.id) ?? MAX_INCLUSIONS + 1) <= depth + 1) continue;
    depths.set(target.id, depth + 1);
    // set before it is read: one that holds itself ends here
    const isKnown = shelf.included.has(target.id);
    if (!isKnown) shelf.included.set(target.id, []);
    const blocks = await readText({ reusableContent: target.id }, { shelf, targets, depth: depth + 1, depths });
    if (!isKnown) shelf.included.set(target.id, blocks);
  }
  return nodes;
}

/** A text as nodes; one that cannot be read into nodes shows its source. */
async function nodesOf(markdown: string): Promise<readonly Block[]> {
  try {
    return (await toDocument(markdown)).nodes;
  } catch (error) {
    if (error instanceof DocumentError) return sourceDocument(markdown).nodes;
    throw error;
  }
}

async function readImage(target: Target | undefined, { desk, pictures }: Shelf): Promise<void> {
  if (target?.kind !== 'file' || pictures.isDone(target.file)) return;
  const isReadable = target.contentType === 'image/png' || target.contentType === 'image/jpeg';
  pictures.add(target.file, isReadable ? await desk.image(target.file) : undefined);
}

/** What the nodes refer to, by key; of it, what they show as images, and what they include. */
function refsIn(blocks: readonly Block[]): {
  refs: Map<string, ContentRef>;
  images: Set<string>;
  included: Set<string>;
} {
  const refs = new Map<string, ContentRef>();
  const images = new Set<string>();
  const included = new Set<string>();
  const walk = (node: DocumentNode): void => {
    const ref = 'data' in node && 'ref' in node.data ? node.data.ref : undefined;
    if (ref !== undefined && 'type' in node) {
      const key = keyOf(ref);
      refs.set(key, ref);
      if (node.type === 'image' || node.type === 'inline-image' || node.type === 'drawing') images.add(key);
      if (node.type === 'reusable-content') included.add(key);
    }
    for (const child of childrenOf(node)) walk(child);
  };
  for (const block of blocks) walk(block);
  return { refs, images, included };
}

function keyOf(ref: ContentRef): string {
  return JSON.stringify(Object.entries(ref));
}

/** `address` as a PDF may lead to it; `undefined` for what is no address of the web or of mail. */
function webAddress(address: string): string | undefined {
  const url = /^(?:https?:\/\/|mailto:)/i.test(address) ? parsedUrl(address) : undefined;
  return url && url.href.length <= MAX_ADDRESS ? url.href : undefined;
}
