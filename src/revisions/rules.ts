import { isSlug } from '../common/slugs.js';
import { isId } from '../common/ids.js';
import { ContentError } from './content-error.js';
import { hasPath, type FileEntry, type PageNode } from './entries.js';

/** How deep pages may lie; 1 is the top. */
export const MAX_DEPTH = 32;
/** How many pages a revision may hold. */
export const MAX_PAGES = 50_000;
/** How many files a revision may hold. */
export const MAX_FILES = 50_000;
/** Characters of a file's name. */
const MAX_FILE_NAME = 256;

const NO_ID = 'An id has 1 to 64 characters of A-Z, a-z, 0-9, `-` and `_`';

/** Checks what must hold for `page` by itself, wherever it lies. @throws ContentError (`invalid`) */
export function checkPage(page: PageNode): void {
  if (!isId(page.id)) throw new ContentError('invalid', NO_ID, 'id');
  if (page.title === '') throw new ContentError('invalid', 'A page needs a title', 'title');
  if ((page.slug !== undefined) !== hasPath(page.kind)) {
    throw new ContentError('invalid', `A ${page.kind} page has no slug`, 'slug');
  }
  if (page.slug !== undefined && !isSlug(page.slug)) {
    throw new ContentError('invalid', 'A slug is made of a-z, 0-9 and single hyphens, at most 100 characters', 'slug');
  }
  if (page.kind === 'group' && page.parent !== null) {
    throw new ContentError('invalid', 'Groups lie at the top only', 'into');
  }
  checkBody(page, 'document', 'document');
  checkBody(page, 'link', 'target');
  checkBody(page, 'computed', 'computed');
}

/** Checks a file's entry. @throws ContentError (`invalid`) */
export function checkFile(file: FileEntry): void {
  if (!isId(file.id)) throw new ContentError('invalid', NO_ID, 'id');
  const length = Array.from(file.name).length;
  if (length < 1 || length > MAX_FILE_NAME) {
    throw new ContentError('invalid', `A file's name has 1 to ${MAX_FILE_NAME} characters`, 'name');
  }
}

function checkBody(page: PageNode, kind: PageNode['kind'], name: 'document' | 'target' | 'computed'): void {
  if (page.kind === kind && page[name] === undefined) {
    throw new ContentError('invalid', `A ${kind} page needs \`${name}\``, name);
  }
  if (page.kind !== kind && page[name] !== undefined) {
    throw new ContentError('invalid', `A ${page.kind} page has no \`${name}\``, name);
  }
}
