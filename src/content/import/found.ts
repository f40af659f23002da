import type { DocumentRecord, FileEntry, PageDraft, ReusableContent } from '../../revisions/index.js';

/** What an address in the text of a page stands for: another page of the import, by its id, or a file of it. */
export type FoundTarget = { page: string; file?: undefined } | { file: string; page?: undefined };

/** All that is known of a page besides its title, its text and where it came from. */
export type KnownFields = Omit<PageDraft, 'id' | 'kind' | 'title' | 'document' | 'source'>;

/** A page that was found, with those below it. */
export interface FoundPage {
  /** The id that it will have, so that texts can refer to it before it is there. */
  id: string;
  kind: PageDraft['kind'];
  /** Wins over the title that its text gives itself. */
  title?: string;
  /** The title when neither says one. */
  fallback: string;
  /** Its text, stored already; a document without one is an empty page. */
  text?: DocumentRecord;
  /** Its other fields, where they are known: nothing is taken from its text then. */
  fields?: KnownFields;
  /** Of a link: where it leads. */
  url?: string;
  /** Of a file of an archive: its name. */
  source?: string;
  /** Where it lay in the space that it came from, if its text was written there. */
  path?: string;
  /** What an address of its text, as written but without its anchor, stands for, if that is imported too. */
  target?: (address: string) => FoundTarget | undefined;
  children: FoundPage[];
}

/** What a source came to. */
export interface Found {
  pages: FoundPage[];
  /** Stored already; their entries go into the revision. */
  files: FileEntry[];
  /** Their texts are stored already. */
  reusableContents?: ReusableContent[];
  /** Names of files that should be there and are not. */
  missing?: string[];
  /** How many documents and files there are within the limits, those that could not be read included. */
  total: number;
  /** How many of them could be read. */
  imported: number;
}

/** The documents of `pages` and below that have a text. */
export function countTexts(pages: readonly FoundPage[]): number {
  return pages.reduce((sum, { text, children }) => sum + (text ? 1 : 0) + countTexts(children), 0);
}
