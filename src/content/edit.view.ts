import { ApiProperty } from '@nestjs/swagger';
import type { Urls } from '../common/urls.js';
import type { Touched } from './apply-change.js';

/** Addresses of a page that was changed. */
export class ChangedPageUrls {
  /** The page in this API. */
  location!: string;
}

/** A page that was changed. */
export class ChangedPageView {
  object!: 'page';
  id!: string;
  urls!: ChangedPageUrls;
}

/** What became of one page: `page` is the page, or the id of one that was deleted. */
export class ChangeView {
  object!: 'created_page' | 'updated_page' | 'deleted_page';
  /** The name that the request gave the new page. */
  ref?: string;
  @ApiProperty({ oneOf: [{ $ref: '#/components/schemas/ChangedPageView' }, { type: 'string' }] })
  page!: ChangedPageView | string;
}

/** What a batch of changes came to. */
export class EditResultView {
  /** Id of the revision that holds the changes. */
  revision!: string;
  /** One for each page that was touched. */
  changes!: ChangeView[];
}

/** Shapes what became of a page of `space`. */
export function toChange(touched: Touched, space: string, urls: Urls): ChangeView {
  if (touched.kind === 'deleted') return { object: 'deleted_page', page: touched.page };
  const location = urls.api('spaces', space, 'content', 'page', touched.page);
  const page: ChangedPageView = { object: 'page', id: touched.page, urls: { location } };
  if (touched.kind === 'created') {
    return { object: 'created_page', ...(touched.ref !== undefined && { ref: touched.ref }), page };
  }
  return { object: 'updated_page', page };
}
