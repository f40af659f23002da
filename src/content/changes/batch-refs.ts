import { newId } from '../../common/ids.js';
import { ContentError, type JSONDocument, readOutline, respell, toMarkdown, urlOf } from '../../revisions/index.js';
import type { ChangeDto } from '../dto/change-content.dto.js';

/** A text as it was sent, its tree of nodes checked. */
export type GivenText = { readonly markdown: string } | { readonly document: JSONDocument };

/**
 * The names that a batch gives its new pages and files, and what they stand for: the ids are given before anything is
 * applied, so that texts can name what comes after them.
 */
export class BatchRefs {
  private readonly pages = new Map<string, string>();
  private readonly files = new Map<string, string>();

  /** Gives the page named `ref` an id, and answers it. */
  page(ref: string | undefined): string {
    const id = newId();
    if (ref !== undefined) this.pages.set(ref, id);
    return id;
  }

  /** Says that the file named `ref` has the id `id`. */
  file(ref: string | undefined, id: string): void {
    if (ref !== undefined) this.files.set(ref, id);
  }

  /** The names of pages. */
  pageNames(): Iterable<string> {
    return this.pages.keys();
  }

  /**
   * `text` as Markdown in which `./<ref>.md` has become `/pages/<id>`, its anchor kept, and `./<ref>` has become
   * `/files/<id>`. Everything else stays as it is, byte for byte.
   * @throws ContentError when the text cannot be read.
   */
  async spell(text: GivenText): Promise<string> {
    if ('document' in text) {
      return toMarkdown(text.document, (ref) => (ref.kind === 'url' ? (this.find(ref.url) ?? ref.url) : urlOf(ref)));
    }
    const { markdown } = text;
    if (this.pages.size + this.files.size === 0 || !markdown.includes('./')) return markdown;
    const { links } = await readOutline(markdown);
    return respell(markdown, links, ({ url }) => this.find(url));
  }

  /** The address of what `url` names, if it names something of this batch. */
  private find(url: string): string | undefined {
    const [, path = '', anchor = ''] = /^\.\/([^#]+)(#.*)?$/s.exec(url) ?? [];
    for (const name of new Set([path, decoded(path)])) {
      const page = name.endsWith('.md') ? this.pages.get(name.slice(0, -'.md'.length)) : undefined;
      if (page !== undefined) return `/pages/${page}${anchor}`;
      const file = anchor === '' ? this.files.get(name) : undefined;
      if (file !== undefined) return `/files/${file}`;
    }
    return undefined;
  }
}

/** @throws ContentError, told with the place of its entry, when two pages or files of a batch have the same name. */
export function checkRefs(change: ChangeDto, seen: Set<string>): void {
  const refs =
    change.operation === 'insert_page'
      ? [change.ref]
      : change.operation === 'insert_files'
        ? change.files.map(({ ref }) => ref)
        : [];
  for (const ref of refs) {
    if (ref === undefined) continue;
    if (seen.has(ref)) throw new ContentError('invalid', `ref "${ref}" is used twice in this batch`, 'ref');
    seen.add(ref);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
