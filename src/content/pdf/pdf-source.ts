import { Injectable } from '@nestjs/common';
import { Blobs } from '../../blobs/index.js';
import { Urls } from '../../common/urls.js';
import {
  type ContentRef,
  type ContentTree,
  DocumentsService,
  RevisionsService,
  type TreePage,
} from '../../revisions/index.js';
import { SpacesService } from '../../spaces/index.js';
import { isPath, type Meanings, readMeanings } from '../links/index.js';
import type { ChapterPlan, Desk, Plan, Target, TextOf } from './layout/job.js';
import type { PdfTarget } from './pdf-links.js';
import { flattened, type PrintedPage, printedPages } from './pdf-parts.js';

/** Largest image that is printed, bytes. */
const MAX_IMAGE = 16 * 1024 * 1024;

/** What a PDF is made of: its plan, and what the layout asks for. */
export interface PdfMatter {
  plan: Plan;
  desk: Omit<Desk, 'write'>;
}

/** Reads what a PDF is made of. */
@Injectable()
export class PdfSource {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly texts: DocumentsService,
    private readonly spaces: SpacesService,
    private readonly blobs: Blobs,
    private readonly urls: Urls,
  ) {}

  /** What the PDF of `target` is made of; `undefined` when its space, revision or page is no longer there. */
  async open(target: PdfTarget): Promise<PdfMatter | undefined> {
    const space = await this.spaces.find(target.space);
    const revision = await this.revisions.find(target.revision);
    if (!space || space.deletedAt || revision?.space !== space._id) return undefined;
    const tree = this.revisions.tree(revision);
    const pages = printedPages(await tree.tree(), target);
    if (!pages) return undefined;
    const references = new References(tree, space._id, this.urls);
    const links = flattened(pages).flatMap(({ node }) => (node.kind === 'link' ? [node] : []));
    const leads = await references.targets(
      undefined,
      links.map(({ href, target: ref }) =>
        href === undefined ? ((ref ?? { kind: 'url', url: '' }) as unknown as ContentRef) : { kind: 'url', url: href },
      ),
    );
    const targets = new Map(links.map(({ id }, index) => [id, leads[index]]));
    const plan: Plan = {
      ...{ title: space.title, revision: revision._id, date: revision.createdAt.toISOString() },
      front: target.only !== true,
      chapters: pages.map((page) => chapterOf(page, targets)),
    };
    return { plan, desk: this.desk(tree, references) };
  }

  private desk(tree: ContentTree, references: References): Omit<Desk, 'write'> {
    return {
      text: async (of) => {
        const key =
          'page' in of
            ? (await tree.findPage(of.page))?.document
            : (await tree.findReusableContent(of.reusableContent))?.document;
        return key === undefined ? undefined : (await this.texts.markdowns([key])).get(key);
      },
      targets: async (of, refs) => references.targets(await placeOf(tree, of), refs),
      image: async (id) => {
        const file = await tree.findFile(id);
        if (!file || file.size > MAX_IMAGE || !(await this.blobs.find([file.blob])).has(file.blob)) return undefined;
        return this.blobs.bytes(file.blob);
      },
    };
  }
}

/** Says what references lead to. */
class References {
  constructor(
    private readonly tree: ContentTree,
    private readonly space: string,
    private readonly urls: Urls,
  ) {}

  /** What each of `refs`, which stand in the text of `page`, leads to; a few readings for all of them. */
  async targets(page: TreePage | undefined, refs: readonly ContentRef[]): Promise<Target[]> {
    const meant = await this.meant(page, refs);
    const pages = await this.tree.findPlaced([...new Set(meant.flatMap((ref) => this.pageIn(ref) ?? []))]);
    const files = await this.tree.findFiles([
      ...new Set(meant.flatMap((ref) => (ref.kind === 'file' ? ref.file : []))),
    ]);
    return meant.map((ref): Target => {
      const found = pages.get(this.pageIn(ref) ?? '');
      if (found) return this.toPage(found, ref);
      if (ref.kind === 'file') {
        const file = files.get(ref.file);
        return file
          ? { kind: 'file', file: file.id, name: file.name, contentType: file.contentType }
          : { kind: 'other' };
      }
      if (ref.kind === 'reusable-content') return { kind: 'reusable-content', id: ref.reusableContent };
      if (ref.kind === 'url') return { kind: 'other', url: ref.url };
      const space = 'space' in ref ? ref.space : undefined;
      return { kind: 'other', ...(space !== undefined && { url: this.urls.app('s', space) }) };
    });
  }

  private async meant(page: TreePage | undefined, refs: readonly ContentRef[]): Promise<ContentRef[]> {
    const paths = refs.flatMap((ref) => (ref.kind === 'url' && isPath(ref.url) ? ref.url : []));
    if (!page || page.path === null || paths.length === 0) return [...refs];
    const { id } = page.node;
    const meanings: Meanings | undefined = (await readMeanings(this.tree, [{ id, path: page.path, urls: paths }])).get(
      id,
    );
    return refs.map((ref) => (ref.kind === 'url' && isPath(ref.url) && meanings ? meanings.of(ref.url).ref : ref));
  }

  /** The page of this space that `ref` names. */
  private pageIn(ref: ContentRef): string | undefined {
    const isPage = ref.kind === 'page' || ref.kind === 'anchor';
    return isPage && (ref.space === undefined || ref.space === this.space) ? ref.page : undefined;
  }

  private toPage({ node, path }: TreePage, ref: ContentRef): Target {
    return {
      ...{ kind: 'page', page: node.id, title: node.title },
      ...(ref.kind === 'anchor' && { anchor: ref.anchor }),
      ...(path !== null && { url: this.urls.app('s', this.space, ...path.split('/')) }),
    };
  }
}

/** The page in which a text stands; a reusable content is in none. */
async function placeOf(tree: ContentTree, of: TextOf): Promise<TreePage | undefined> {
  return 'page' in of ? (await tree.findPlaced([of.page])).get(of.page) : undefined;
}

function chapterOf({ node, pages }: PrintedPage, targets: ReadonlyMap<string, Target | undefined>): ChapterPlan {
  const target = targets.get(node.id);
  return {
    id: node.id,
    title: node.title,
    isLink: node.kind === 'link',
    ...(node.emoji !== undefined && { emoji: node.emoji }),
    ...(node.description !== undefined && { description: node.description }),
    ...(target && { target }),
    chapters: pages.map((page) => chapterOf(page, targets)),
  };
}
