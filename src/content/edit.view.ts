import { ApiProperty } from '@nestjs/swagger';
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

/** What a batch of changes did. */
export class ChangesView {
  /** One for each page that was touched. */
  changes!: ChangeView[];
  /** The files that were inserted, in order. */
  insertedFiles?: FileView[];
}

/** What a batch of changes came to. */
export class EditResultView extends ChangesView {
  /** Id of the revision that holds the changes. */
  revision!: string;
}

/** Shapes what became of a page; `content`: the address of the content that it is in. */
function toChange(touched: Touched, content: string): ChangeView {
  if (touched.kind === 'deleted') return { object: 'deleted_page', page: touched.page };
  const location = `${content}/page/${encodeURIComponent(touched.page)}`;
  const page: ChangedPageView = { object: 'page', id: touched.page, urls: { location } };
  if (touched.kind === 'created') {
    return { object: 'created_page', ...(touched.ref !== undefined && { ref: touched.ref }), page };
  }
  return { object: 'updated_page', page };
}

/**
 * Shapes what a batch did; `content`: the address of the content that it was applied to, `link` makes the signed address
 * of a file.
 */
export function toChangesView(
  { touched, files }: Pick<EditResult, 'touched' | 'files'>,
  content: string,
  link: (file: FileEntry) => string,
): ChangesView {
  return {
    changes: touched.map((one) => toChange(one, content)),
    ...(files.length > 0 && { insertedFiles: files.map((file) => toFile(file, link(file))) }),
  };
}
