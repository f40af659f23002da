import { BadRequestException, Injectable } from '@nestjs/common';
import { PageTexts } from '../content/index.js';
import {
  childrenOf,
  type ContentTree,
  type DocumentNode,
  plainText,
  RevisionsService,
  type TreePage,
} from '../revisions/index.js';
import type { Comment, CommentedPage } from './comment.schema.js';
import { type CommentPageView, toCommentPage } from './comment-page.view.js';
import type { Discussion } from './place.js';

/** Characters of a block's text that are shown of it. */
const PREVIEW = 140;

/** What comments are about: pages and blocks, in the revisions of their places. */
@Injectable()
export class CommentTargets {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly texts: PageTexts,
  ) {}

  /**
   * What a new comment is about, as `revision` has it. A block that is not there is taken as it is (decision 3.56).
   * @throws BadRequestException for a page that is not there, and for a block without a page.
   */
  async find(
    revision: string,
    { page: id, node }: { page?: string; node?: string },
  ): Promise<Pick<Comment, 'page' | 'node'>> {
    if (id === undefined) {
      if (node !== undefined) throw new BadRequestException('node takes page too: name the page that the block is on');
      return { page: null, node: null };
    }
    const tree = await this.tree(revision);
    const page = (await tree.findPlaced([id])).get(id);
    if (!page) throw new BadRequestException(`page: there is no page ${id} in the content that is commented on`);
    const preview = node === undefined ? null : await this.preview(tree, page, node);
    return { page: asSeen(page), node: node === undefined ? null : { id: node, preview } };
  }

  /**
   * The pages of `comments` as the newest revision that has them shows them: primary content, else the change request,
   * else the comment's own. A fixed number of reads, however many comments there are.
   */
  async pagesOf(comments: readonly Comment[], discussion: Discussion): Promise<Map<string, CommentPageView>> {
    const ids = [...new Set(comments.flatMap(({ page }) => page?.id ?? []))];
    const primary = await this.placed(discussion.primary, ids);
    const missing = ids.filter((id) => !primary.has(id));
    const { changeRequest, revision, known } = discussion;
    const inRequest = changeRequest === null ? new Map<string, TreePage>() : await this.placed(revision, missing);
    // what primary content never had is not gone from there
    const gone = inRequest.size === 0 ? inRequest : await this.placed(known, [...inRequest.keys()]);
    return new Map(
      comments.flatMap(({ _id, page: kept }) => {
        if (!kept) return [];
        const there = primary.get(kept.id);
        const seen = there ?? inRequest.get(kept.id);
        const outdated = !there && (!seen || gone.has(kept.id));
        return [[_id, toCommentPage(seen ? asSeen(seen) : kept, outdated)]];
      }),
    );
  }

  private async placed(revision: string, ids: string[]): Promise<Map<string, TreePage>> {
    return ids.length === 0 ? new Map() : (await this.tree(revision)).findPlaced(ids);
  }

  private async tree(revision: string): Promise<ContentTree> {
    return this.revisions.tree(await this.revisions.get(revision));
  }

  private async preview(tree: ContentTree, page: TreePage, key: string): Promise<string | null> {
    const document = await this.texts.document(tree, page);
    const node = document && nodeIn(document.nodes, key);
    const text = node ? plainText([node]).slice(0, 2 * PREVIEW) : '';
    return text === '' ? null : [...text].slice(0, PREVIEW).join('');
  }
}

function asSeen({ node: { id, title, emoji, icon, createdAt, updatedAt }, path }: TreePage): CommentedPage {
  return { id, title, emoji: emoji ?? null, icon: icon ?? null, createdAt, updatedAt, path: path ?? '' };
}

// recursion: documents are at most 64 levels deep
function nodeIn(nodes: readonly DocumentNode[], key: string): DocumentNode | undefined {
  for (const node of nodes) {
    const found = node.key === key ? node : nodeIn(childrenOf(node), key);
    if (found) return found;
  }
  return undefined;
}
