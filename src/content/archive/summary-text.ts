import type { TreePage } from '../../revisions/index.js';
import type { Layout } from './layout.js';

/**
 * A table of contents that `readSummary` reads back as the same pages: groups as headings, documents and links as nested
 * lists. What a table of contents cannot say is left out (computed pages, links within the space): the manifest has it.
 */
export function summaryText(title: string, pages: readonly TreePage[], layout: Layout): string {
  const blocks = [`# ${escape(title)}`];
  let inGroup = false;
  let list: string[] = [];
  const close = (): void => {
    if (list.length > 0) blocks.push(list.join('\n'));
    list = [];
  };
  for (const page of pages) {
    if (page.node.kind === 'group') {
      close();
      blocks.push(`## ${escape(page.node.title)}`, entries(page.pages, layout, 0).join('\n'));
      inGroup = true;
      continue;
    }
    // a break ends the part, so that what follows stands at the top again
    if (inGroup) blocks.push('---');
    inGroup = false;
    list.push(...entries([page], layout, 0));
  }
  close();
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function entries(pages: readonly TreePage[], layout: Layout, depth: number): string[] {
  return pages.flatMap(({ node, pages: below }) => {
    const address = node.kind === 'link' ? addressOf(node.target) : fileAddress(layout.pages.get(node.id));
    if (address === undefined) return entries(below, layout, depth);
    return [`${'  '.repeat(depth)}- [${escape(node.title)}](${address})`, ...entries(below, layout, depth + 1)];
  });
}

/** Where a link page leads, when that is outside: an entry that leads to another page would be read as that page. */
function addressOf(target: TreePage['node']['target']): string | undefined {
  return target?.kind === 'url' && typeof target.url === 'string' ? destination(target.url) : undefined;
}

function fileAddress(name: string | undefined): string | undefined {
  return name === undefined ? undefined : destination(name.split('/').map(encodeURIComponent).join('/'));
}

function destination(address: string): string {
  return address.replace(/[\s<>()\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** `text` in one line, with nothing in it that Markdown would read as more than text. */
function escape(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()#+\-!<>|~&.:$^="'/@]/g, '\\$&');
}
