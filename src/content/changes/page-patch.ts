import { ContentError, type JsonObject, type PageKind, type PageNode } from '../../revisions/index.js';
import type { PageFields } from '../dto/page-fields.dto.js';
import type { PageMetadata } from '../page-metadata.js';
import { checkCover, type RefGround } from './content-refs.js';

/** The metadata that `change` names. */
export function fieldsOf(change: PageMetadata): PageMetadata {
  const { title, emoji, icon, description, hidden, noIndex, noRobotsIndex } = change;
  const fields = { title, emoji, icon, description, hidden, noIndex, noRobotsIndex };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** How a page looks. */
interface Looks {
  layout?: JsonObject;
  cover?: JsonObject | null;
}

/**
 * The layout and the cover that `change` gives a page; a layout keeps what is not named from `before`.
 * @throws ContentError for pages that have neither, and for a cover that shows nothing that is there.
 */
export async function looksOf(
  ground: RefGround,
  { layout, cover }: Pick<PageFields, 'layout' | 'cover'>,
  kind: PageKind,
  before?: PageNode,
): Promise<Looks> {
  const named = layout ? 'layout' : cover ? 'cover' : undefined;
  if (kind !== 'document' && named) throw new ContentError('invalid', `a ${kind} page has no ${named}`, named);
  const given = Object.fromEntries(Object.entries(layout ?? {}).filter(([, value]) => value !== undefined));
  return {
    ...(layout && { layout: { ...before?.layout, ...given } }),
    ...(cover !== undefined && { cover: cover === null ? null : await checkCover(ground, cover) }),
  };
}
