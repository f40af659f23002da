import { Injectable, NotFoundException } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { VisitorClaims } from '../../conditions/index.js';
import { type DescribedVersion, OpenApiSpecs } from '../../openapi/index.js';
import type { ContentTree, JSONDocument, PageTree, TreePage } from '../../revisions/index.js';
import { type MemoryPages, memoryPages } from '../search/index.js';
import { forVisitor } from '../for-visitor.js';
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

/** A tree with pages in place of place-holders, and the versions that it was made from; `by` are their ids. */
interface Expansion {
  tree: PageTree;
  versions: readonly DescribedVersion[];
  by: string;
}

/** A tree with pages in place of place-holders, and those pages as search takes them. */
export interface SearchedTree {
  tree: PageTree;
  pages: MemoryPages;
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
    const slugs = this.slugsOf(tree);
    if (slugs.length === 0) return tree;
    return this.expansion(tree, await this.specs.latest(organization, slugs))?.tree ?? tree;
  }

  /**
   * As {@link expand}, for several trees of one organization by their spaces, with the pages that are generated as search
   * takes them; trees without any are left out. They are collected once for each tree and version.
   */
  async search(organization: string, trees: ReadonlyMap<string, PageTree>): Promise<Map<string, SearchedTree>> {
    const slugs = new Set([...trees.values()].flatMap((tree) => this.slugsOf(tree)));
    const versions = slugs.size > 0 ? await this.specs.latest(organization, [...slugs]) : new Map<string, never>();
    const found = new Map<string, SearchedTree>();
    for (const [space, tree] of trees) {
      const expansion = this.expansion(tree, versions);
      if (!expansion) continue;
      const known = this.searched.get(expansion.tree) ?? memoryPages(entriesOf(expansion.tree, expansion.versions));
      this.searched.set(expansion.tree, known);
      found.set(space, { tree: expansion.tree, pages: await known });
    }
    return found;
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

  /** `text` as a visitor with `claims` is shown it. */
  async shown(text: GeneratedText, claims: VisitorClaims): Promise<GeneratedText> {
    const document = forVisitor(text.document, claims);
    if (document === text.document) return text;
    return { document, markdown: await this.forms.markdown(JSON.stringify(document)) };
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

  /** `null` where none of `versions`, by their slugs, is shown in `tree`. */
  private expansion(tree: PageTree, versions: ReadonlyMap<string, DescribedVersion>): Expansion | null {
    const shown = new Map(
      this.slugsOf(tree).flatMap((slug) => {
        const version = versions.get(slug);
        return version ? [[slug, version] as const] : [];
      }),
    );
    if (shown.size === 0) return null;
    const by = [...shown.values()].map(({ id }) => id).join();
    const known = this.expansions.get(tree);
    if (known?.by === by) return known;
    const expansion = { by, versions: [...shown.values()], tree: expandTree(tree, shown) };
    this.expansions.set(tree, expansion);
    return expansion;
  }

  private slugsOf(tree: PageTree): readonly string[] {
    const slugs = this.slugs.get(tree) ?? slugsIn(tree);
    this.slugs.set(tree, slugs);
    return slugs;
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
