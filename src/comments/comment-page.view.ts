import type { CommentedPage } from './comment.schema.js';

/** The page that a comment is about, as it was where it was seen last. */
export class CommentPageView {
  id!: string;
  title!: string;
  emoji?: string;
  icon?: string;
  /** ISO 8601, UTC. */
  createdAt?: string;
  /** ISO 8601, UTC. */
  updatedAt?: string;
  /** Slugs from the top of the tree, joined with `/`; empty for pages that have none. */
  path!: string;
  /** Whether it is gone from primary content. */
  outdated!: boolean;
}

/** Shapes `page`. */
export function toCommentPage(
  { id, title, emoji, icon, createdAt, updatedAt, path }: CommentedPage,
  outdated: boolean,
): CommentPageView {
  return {
    id,
    title,
    ...(emoji !== null && { emoji }),
    ...(icon !== null && { icon }),
    createdAt,
    updatedAt,
    path,
    outdated,
  };
}
