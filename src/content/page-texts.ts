import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { VisitorClaims } from '../conditions/index.js';
import {
  type ContentRef,
  type ContentTree,
  type DocumentNode,
  DocumentsService,
  type JSONDocument,
  respell,
  type TreePage,
} from '../revisions/index.js';
import { forVisitor, isConditional } from './for-visitor.js';
import { isPath, type Meanings, readMeanings } from './links/index.js';
import { TextForms } from './text-forms.js';

/** A text as a tree of nodes, with the addresses in it that are paths of the space. */
interface ReadDocument {
  document: JSONDocument;
  paths: readonly string[];
}

/** Markdown, and what is known of the visitor whom it is shown to. */
interface ConditionalText {
  markdown: string;
  claims: VisitorClaims;
}

const IMAGES: ReadonlySet<string> = new Set(['image', 'inline-image']);
/** The references that the data of a node may have. */
type Refs = { readonly ref?: ContentRef; readonly refDark?: ContentRef };

/** Characters of Markdown whose trees of nodes are kept in memory: a tree takes some 50 bytes for each, at worst 230. */
const CACHED = 1024 * 1024;

/**
 * The texts of pages as they are read: byte for byte as they were written, but for addresses of pages that were renamed
 * or moved since. Works for every revision, and costs the links of the pages that are asked for.
 */
@Injectable()
export class PageTexts {
  /** Texts as trees of nodes, by the keys of the texts: neither ever changes. */
  private readonly documents = new LRUCache<string, ReadDocument>({ maxSize: CACHED });

  constructor(
    private readonly texts: DocumentsService,
    private readonly forms: TextForms,
  ) {}

  /** The Markdown of each of `pages`, which are in `tree`, by page; those without a text are left out. */
  async markdowns(tree: ContentTree, pages: readonly TreePage[]): Promise<Map<string, string>> {
    const written = pages.flatMap(({ node: { id, document }, path }) =>
      document === undefined || path === null ? [] : [{ id, document, path }],
    );
    const markdowns = await this.texts.markdowns(written.map(({ document }) => document));
    const links = await tree.findLinks(written.map(({ id }) => id));
    const readers = written.flatMap(({ id, path }) => {
      const kept = links.get(id);
      return kept === undefined ? [] : [{ id, path, urls: Object.keys(kept.to) }];
    });
    const meanings = await readMeanings(tree, readers);
    const changed = new Set(
      readers
        .filter(({ id, urls }) => urls.some((url) => meanings.get(id)?.spelled(url) !== undefined))
        .map(({ id }) => id),
    );
    const outlines = await this.texts.outlines(
      written.flatMap(({ id, document }) => (changed.has(id) ? document : [])),
    );
    const read = new Map<string, string>();
    for (const { id, document } of written) {
      const markdown = markdowns.get(document);
      if (markdown === undefined) continue;
      const outline = changed.has(id) ? outlines.get(document) : undefined;
      read.set(id, outline ? respell(markdown, outline.links, ({ url }) => meanings.get(id)?.spelled(url)) : markdown);
    }
    return read;
  }

  /** The Markdown of `page`, which is in `tree`; `undefined` when it has none. */
  async markdown(tree: ContentTree, page: TreePage): Promise<string | undefined> {
    return (await this.markdowns(tree, [page])).get(page.node.id);
  }

  /**
   * The text of `page`, which is in `tree`, as a tree of nodes in which links name pages and files by their ids;
   * `undefined` when it has none. It is shared, and not to be changed.
   */
  async document(tree: ContentTree, { node, path }: TreePage): Promise<JSONDocument | undefined> {
    if (node.document === undefined || path === null) return undefined;
    const { document, paths } = this.documents.get(node.document) ?? (await this.read(node.document));
    if (paths.length === 0) return document;
    const meanings = (await readMeanings(tree, [{ id: node.id, path, urls: paths }])).get(node.id);
    return meanings ? resolved(document, meanings) : document;
  }

  /**
   * `markdown`, the text of `page`, as a visitor with `claims` is shown it; itself where that is all of it, spelled anew where it
   * is not.
   */
  async shown(tree: ContentTree, page: TreePage, { markdown, claims }: ConditionalText): Promise<string> {
    const document = isConditional(markdown) ? await this.document(tree, page) : undefined;
    return document ? this.spelled(document, { markdown, claims }) : markdown;
  }

  /** The same for `markdown`, the text under `key`, which no page has. @throws NotFoundException when there is none. */
  async shownWritten(key: string, { markdown, claims }: ConditionalText): Promise<string> {
    return isConditional(markdown) ? this.spelled(await this.written(key), { markdown, claims }) : markdown;
  }

  private async spelled(document: JSONDocument, { markdown, claims }: ConditionalText): Promise<string> {
    const shown = forVisitor(document, claims);
    return shown === document ? markdown : this.forms.markdown(JSON.stringify(shown));
  }

  /** The text under `key` as a tree of nodes, its addresses as they are written. @throws NotFoundException when there is none. */
  async written(key: string): Promise<JSONDocument> {
    return (this.documents.get(key) ?? (await this.read(key))).document;
  }

  private async read(key: string): Promise<ReadDocument> {
    const markdown = await this.texts.markdown(key);
    const document = await this.forms.document(markdown);
    const paths = new Set<string>();
    resolveRefs(document, (ref) => {
      if (ref.kind === 'url' && isPath(ref.url)) paths.add(ref.url);
      return ref;
    });
    const read = { document, paths: [...paths] };
    this.documents.set(key, read, { size: Math.max(1, markdown.length) });
    return read;
  }
}

/** A copy of `document` whose addresses that are paths of the space are what they mean. */
function resolved(document: JSONDocument, meanings: Meanings): JSONDocument {
  return resolveRefs(document, (ref, type) => {
    if (ref.kind !== 'url' || !isPath(ref.url)) return ref;
    const meant = meanings.of(ref.url).ref;
    // an image shows files and what lies elsewhere, and never a page
    return IMAGES.has(type) && meant.kind !== 'file' ? ref : meant;
  });
}

/** A copy of `document` with each reference of its nodes as `resolve`, which is told the type of the node, answers it. */
function resolveRefs(document: JSONDocument, resolve: (ref: ContentRef, type: string) => ContentRef): JSONDocument {
  // recursion: documents are at most 64 levels deep
  const copy = <T extends DocumentNode>(node: T): T => {
    const changed: Record<string, unknown> = { ...node };
    if ('data' in node) {
      const { ref, refDark }: Refs = node.data as Refs;
      changed.data = {
        ...node.data,
        ...(ref && { ref: resolve(ref, node.type) }),
        ...(refDark && { refDark: resolve(refDark, node.type) }),
      };
    }
    if ('nodes' in node) changed.nodes = node.nodes.map((child: DocumentNode) => copy(child));
    if ('fragments' in node) changed.fragments = node.fragments.map((child: DocumentNode) => copy(child));
    return changed as unknown as T;
  };
  return { ...document, nodes: document.nodes.map(copy) };
}
