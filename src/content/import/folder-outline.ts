import { nest, titleFromName, type Branch } from './nest.js';
import type { SummaryEntry } from './summary.js';

const MARKDOWN = /\.(?:md|markdown)$/i;
/** Files that are the page of the folder that they lie in. */
const OWN_PAGE = /^(?:readme|index)\.(?:md|markdown)$/i;

/** Whether a file of that name is a page. */
export function isMarkdownFile(name: string): boolean {
  return MARKDOWN.test(name);
}

/** The names that the page of a folder may have; `folder` ends with a slash, or is empty. */
export function ownPages(folder: string): string[] {
  return ['README.md', 'readme.md', 'Readme.md', 'index.md'].map((name) => folder + name);
}

/**
 * The pages of a folder of Markdown without a `SUMMARY.md`: its folders are the tree, `README.md` or `index.md` is the
 * page of its folder, and the names order the pages. A folder without such a file becomes an empty page. What is hidden
 * (`.github`, `.obsidian`) is left out. Titles are made of the names; what a text says of its own is for the reader of
 * the texts.
 *
 * @param files Names of all files, with `/` between the segments.
 */
export function folderOutline(files: readonly string[]): SummaryEntry[] {
  const pages = files.filter((file) => MARKDOWN.test(file) && !isHidden(file)).sort(byName);
  const top = pages.filter((file) => pathOf(file).length === 0);
  const below = pages.filter((file) => pathOf(file).length > 0);
  const leaf = (file: string): Branch<string> => ({ name: 'Introduction', item: file, children: [] });
  return [...top.map(leaf), ...nest(below.map((file) => [pathOf(file), file] as const))].map(entryOf);
}

function entryOf({ name, item, children }: Branch<string>): SummaryEntry {
  const file = item !== undefined && { file: item };
  return { kind: 'page', title: titleFromName(name), ...file, children: children.map(entryOf) };
}

/** The place of a file among the pages: nothing for the page of the folder as a whole. */
function pathOf(file: string): string[] {
  const segments = file.split('/');
  const name = segments.pop() ?? '';
  return OWN_PAGE.test(name) ? segments : [...segments, name.replace(MARKDOWN, '')];
}

function isHidden(file: string): boolean {
  return file.split('/').some((segment) => segment.startsWith('.') || segment === '__MACOSX');
}

const order = new Intl.Collator('en', { numeric: true }).compare;

/** By their places, segment by segment, numbers by their value: `2-install` comes before `10-reference`. */
function byName(a: string, b: string): number {
  const [one, other] = [pathOf(a), pathOf(b)];
  for (const [index, segment] of one.entries()) {
    const counterpart = other[index];
    if (counterpart === undefined) return 1;
    const difference = order(segment, counterpart);
    if (difference !== 0) return difference;
  }
  return one.length - other.length || order(a, b);
}
