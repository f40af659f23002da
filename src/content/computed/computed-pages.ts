import { Injectable, NotFoundException } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type DescribedVersion, OpenApiSpecs } from '../../openapi/index.js';
import type { ContentTree, JSONDocument, PageTree, TreePage } from '../../revisions/index.js';
import { type MemoryPages, memoryPages } from '../search/index.js';
import { TextForms } from '../text-forms.js';
import { expandTree, generatedKey, specOf, versionOfKey } from './expand-tree.js';
import { entriesOf } from './openapi-entries.js';
import { flat, type OpenApiPage, openApiPages } from './openapi-pages.js';
import { paragraphOf, piecesOf } from './openapi-text.js';

/** Characters of texts that are kept in memory. */
const CACHED = 1024 * 1024;

/** A text that was generated, in both forms. It is shared, and not to be changed. */
export interface GeneratedText {
  markdown: string;
  document: JSONDocument;
}

/** A tree with pages in place of place-holders, and the versions that it was made from: their slugs, and their ids. */
interface Expansion {
  tree: PageTree;
  versions: ReadonlyMap<string, DescribedVersion>;
  by: string;
}

/** Puts pages in place of computed ones, and makes their texts (decision 3.69). */
@Injectable()
export class ComputedPages {
  /** Slugs of descriptions in trees, for as long as the trees are kept: trees never change, nor do versions. */
  private readonly slugs = new WeakMap<PageTree, readonly string[]>();
  /** Trees as they were expanded last, with the versions that they were expanded by. */
  private readonly expansions = new WeakMap<PageTree, Expansion>();
  /** The generated pages of expanded trees, as they are searched. */
  private readonly searched = new WeakMap<PageTree, Promise<MemoryPages>>();
  private readonly texts = new LRUCache<string, GeneratedText>({ maxSize: CACHED });

  constructor(
    private readonly specs: OpenApiSpecs,
    private readonly forms: TextForms,
  ) {}

  /**
   * `tree`, of a space of `organization`, with pages in place of those that are computed and can be. One read where it has
   * such pages, and none where it has none; more only for versions that nobody has read yet.
   */
  async expand(organization: string, tree: PageTree): Promise<PageTree> {
    return (await this.expansion(organization, tree))?.tree ?? tree;
  }

  /**
   * As {@link expand}, with the pages that are generated as search takes them; `null` where there are none. They are collected
   * once for each tree and version.
   */
  async search(organization: string, tree: PageTree): Promise<{ tree: PageTree; pages: MemoryPages } | null> {
    const expansion = await this.expansion(organization, tree);
    if (!expansion) return null;
    const { tree: expanded, versions } = expansion;
    const known = this.searched.get(expanded) ?? memoryPages(entriesOf(expanded, versions.values()));
    this.searched.set(expanded, known);
    return { tree: expanded, pages: await known };
  }

  /**
   * The page `id` of `content` with what is below it: `found` where that has nothing to be expanded, and else the page of
   * the whole tree; `null` when there is none.
   */
  async page(organization: string, content: ContentTree, id: string, found: TreePage | null): Promise<TreePage | null> {
    if (found && !hasComputed(found.pages)) return found;
    return (await this.expand(organization, await content.tree())).byId.get(id) ?? null;
  }

  /** The page at `path` among those that are generated, whatever its case; `null` when there is none. */
  async pageAt(organization: string, content: ContentTree, path: string): Promise<TreePage | null> {
    const tree = await this.expand(organization, await content.tree());
    let [found, pages]: [TreePage | null, readonly TreePage[]] = [null, tree.pages];
    for (const slug of path.toLowerCase().split('/')) {
      found = pages.find(({ node }) => node.slug === slug) ?? null;
      if (found === null) return null;
      pages = found.pages;
    }
    return found;
  }

  /**
   * The text `key` of a page that is generated for a space of `organization`.
   * @throws NotFoundException when its description is gone.
   */
  async text(organization: string, key: string): Promise<GeneratedText> {
    const found = await this.specs.version(organization, versionOfKey(key) ?? '');
    const page = found && pageOfKey(found.version, key);
    if (!page) throw new NotFoundException('Document not found');
    const known = this.texts.get(key);
    if (known) return known;
    const markdown = await this.forms.markdown(JSON.stringify(await this.assembled(page, found.slug)));
    const text = { markdown, document: await this.forms.document(markdown) };
    this.texts.set(key, text, { size: Math.max(1, markdown.length) });
    return text;
  }

  /** `null` where there is nothing to be expanded. */
  private async expansion(organization: string, tree: PageTree): Promise<Expansion | null> {
    const slugs = this.slugs.get(tree) ?? slugsIn(tree);
    this.slugs.set(tree, slugs);
    if (slugs.length === 0) return null;
    const versions = await this.specs.latest(organization, slugs);
    if (versions.size === 0) return null;
    const by = [...versions.values()].map(({ id }) => id).sort();
    const known = this.expansions.get(tree);
    if (known?.by === by.join()) return known;
    const expansion = { by: by.join(), versions, tree: expandTree(tree, versions) };
    this.expansions.set(tree, expansion);
    return expansion;
  }

  /** Each text of the description's author is read for itself: one that leaves something open takes nothing along. */
  private async assembled(page: OpenApiPage, spec: string): Promise<JSONDocument> {
    const nodes: JSONDocument['nodes'] = [];
    for (const piece of piecesOf(page, spec)) {
      if ('blocks' in piece) nodes.push(...piece.blocks);
      else nodes.push(...(await this.forms.document(piece.markdown)).nodes);
    }
    return { object: 'document', data: {}, nodes: nodes.length > 0 ? nodes : [paragraphOf('')] };
  }
}

function slugsIn({ byId }: PageTree): readonly string[] {
  return [...new Set([...byId.values()].flatMap(({ node }) => specOf(node) ?? []))];
}

const hasComputed = (pages: readonly TreePage[]): boolean =>
  pages.some(({ node, pages: below }) => specOf(node) !== undefined || hasComputed(below));

function pageOfKey(version: DescribedVersion, key: string): OpenApiPage | undefined {
  return [...flat(openApiPages(version.outline))].find((page) => generatedKey(version.id, page) === key);
}
