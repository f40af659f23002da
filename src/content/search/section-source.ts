/** What stands under one heading of a document, from it to the next one of the first three levels. */
export interface Section {
  /** Fragment of the heading in the page's address; empty for what stands before the first one. */
  anchor: string;
  title: string;
  /** Level of the heading, 1 to 3; 0 for what stands before the first one. */
  depth: number;
  /** Plain text. */
  text: string;
}

/** Where search finds the text of the pages that it shows; bound by the module that keeps documents. */
export abstract class SectionSource {
  /** The sections of each document, by its key; documents that are not there are left out. */
  abstract sections(documents: string[]): Promise<Map<string, Section[]>>;

  /** The same with what every visitor is shown; only of those of which that is less. */
  abstract cut(documents: ReadonlyMap<string, Section[]>): Promise<Map<string, Section[]>>;
}
