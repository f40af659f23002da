import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';

/** Addresses of what was found. */
export class SearchUrls {
  /** The place in the application. */
  app!: string;
}

/** A heading under which something was found. */
export class SearchSectionView {
  id!: string;
  /** The heading. */
  title!: string;
  /** Path of the page and anchor of the heading. */
  path!: string;
  /** Excerpt in plain text, at most 300 characters. */
  body!: string;
  urls!: SearchUrls;
}

/** A page on which something was found. */
export class SpaceSearchItemView {
  /** Id of the page. */
  id!: string;
  title!: string;
  /** Path of the page. */
  path!: string;
  /** The headings under which it was found. */
  sections!: SearchSectionView[];
  urls!: SearchUrls;
}

export class SpaceSearchPage extends PageOf(SpaceSearchItemView) {}

/** A space in which something was found. */
export class OrganizationSearchItemView {
  /** Id of the space. */
  id!: string;
  title!: string;
  /** The best pages, at most 10. */
  pages!: SpaceSearchItemView[];
}

export class OrganizationSearchPage extends PageOf(OrganizationSearchItemView) {}

/** A page that was found, with what its shape needs. */
export interface FoundPage {
  space: string;
  id: string;
  title: string;
  path: string;
  sections: readonly { anchor: string; title: string; body: string }[];
}

/** Shapes a page that was found. */
export function toSearchItem({ space, id, title, path, sections }: FoundPage, urls: Urls): SpaceSearchItemView {
  const app = urls.app('s', space, ...path.split('/'));
  return {
    id,
    title,
    path,
    sections: sections.map(({ anchor, ...section }) => {
      const hash = anchor === '' ? '' : `#${anchor}`;
      return {
        id: anchor === '' ? id : `${id}-${anchor}`,
        title: section.title,
        path: path + hash,
        body: section.body,
        urls: { app: app + (anchor === '' ? '' : `#${encodeURIComponent(anchor)}`) },
      };
    }),
    urls: { app },
  };
}

/** Shapes a space in which something was found. */
export function toFoundSpace(
  { id, title, pages }: { id: string; title: string; pages: readonly FoundPage[] },
  urls: Urls,
): OrganizationSearchItemView {
  return { id, title, pages: pages.map((page) => toSearchItem(page, urls)) };
}
