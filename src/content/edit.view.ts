import { ApiProperty } from '@nestjs/swagger';
import type { Urls } from '../common/urls.js';
import type { FileEntry } from '../revisions/index.js';
import type { Touched } from './changes/touched.js';
import type { EditResult } from './edit.service.js';
import { FileView, toFile } from './files/file.view.js';

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
  /** The files that were inserted, in order. */
  insertedFiles?: FileView[];
}

/** Shapes what became of a page of `space`. */
function toChange(touched: Touched, space: string, urls: Urls): ChangeView {
  if (touched.kind === 'deleted') return { object: 'deleted_page', page: touched.page };
  const location = urls.api('spaces', space, 'content', 'page', touched.page);
  const page: ChangedPageView = { object: 'page', id: touched.page, urls: { location } };
  if (touched.kind === 'created') {
    return { object: 'created_page', ...(touched.ref !== undefined && { ref: touched.ref }), page };
  }
  return { object: 'updated_page', page };
}

/** Shapes what a batch came to in `space`; `link` makes the signed address of a file. */
export function toEditResult(
  { revision, touched, files }: EditResult,
  space: string,
  urls: Urls,
  link: (file: FileEntry) => string,
): EditResultView {
  return {
    revision,
    changes: touched.map((one) => toChange(one, space, urls)),
    ...(files.length > 0 && { insertedFiles: files.map((file) => toFile(file, link(file))) }),
  };
}
