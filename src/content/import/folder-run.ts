import type { BadRequestException } from '@nestjs/common';
import type { ContentError, DocumentRecord, FileEntry } from '../../revisions/index.js';
import type { NewFile } from '../files/index.js';
import type { SummaryEntry } from './summary.js';

/** What reading a folder of Markdown takes: its limits, and the ways into the store. */
export interface FolderRun {
  /** Pages that it may add. */
  readonly maxPages: number;
  /** Whether one file that cannot be read refuses the whole. */
  readonly strict: boolean;
  /** What a table of contents says. */
  outline(summary: string): Promise<SummaryEntry[]>;
  /** Stores texts; in the place of each its record, or why it cannot be stored. */
  storeTexts(texts: readonly string[]): Promise<(DocumentRecord | ContentError)[]>;
  /**
   * Stores the files that `load` answers for `names`, each name once, as many as may be added.
   * @returns the files by name, without those that there are none of, and how many were asked for.
   */
  storeFiles(
    names: Iterable<string>,
    load: (name: string) => Promise<NewFile | undefined>,
  ): Promise<{ files: Map<string, FileEntry>; total: number }>;
  /** Is told how many of how many texts are stored. */
  progress?(done: number, total: number): void;
  /** The answer to whoever gave a folder that cannot be imported. */
  refuse(why: string): BadRequestException;
}
