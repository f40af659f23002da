import GithubSlugger from 'github-slugger';
import type { PageTree, TreePage } from '../../revisions/index.js';
import type { DescribedVersion } from '../../openapi/index.js';
import type { SearchEntry, Section } from '../search/index.js';
import { isConditional } from '../for-visitor.js';
import { generatedKey, versionOfKey } from './expand-tree.js';
import { callOf, flat, type OpenApiPage, openApiPages, titleOf } from './openapi-pages.js';
import { MAX_OPERATIONS } from './openapi-text.js';

/** Characters of one text of the description's author that are searched. */
const MAX_TEXT = 500;

/** The pages of `tree` that are generated from `versions` and not kept out of search, as search takes them. */
export function entriesOf(tree: PageTree, versions: readonly DescribedVersion[]): SearchEntry[] {
  const pages = new Map<string, OpenApiPage>();
  for (const version of versions) {
    for (const page of flat(openApiPages(version.outline))) pages.set(generatedKey(version.id, page), page);
  }
  return [...tree.byId.values()].flatMap((at) => {
    const page =
      at.noIndex || versionOfKey(at.node.document ?? '') === undefined ? undefined : pages.get(at.node.document ?? '');
    return page ? [entryOf(at, page)] : [];
  });
}

function entryOf({ node: { id, document = '', title, description } }: TreePage, page: OpenApiPage): SearchEntry {
  const slugger = new GithubSlugger();
  const about: Section = { anchor: '', title: '', depth: 0, text: searched(page.description) };
  const sections = page.operations.slice(0, MAX_OPERATIONS).map((operation): Section => {
    const text = `${callOf(operation)}\n${searched(operation.description)}`;
    if (page.kind !== 'tag') return { anchor: '', title: '', depth: 0, text };
    const heading = titleOf(operation);
    return { anchor: slugger.slug(heading), title: heading, depth: 2, text };
  });
  const models = page.schemas.length > 0 ? [{ ...about, text: page.schemas.join(' ') }] : [];
  return {
    page: id,
    document,
    title,
    ...(description !== undefined && { description }),
    sections: [about, ...sections, ...models],
  };
}

/** What is searched of a text: nothing where a visitor may be shown something else. */
const searched = (text = ''): string => (isConditional(text) ? '' : text.slice(0, MAX_TEXT));
