import type { ContentTree, DocumentRecord, FileEntry, PageLinks } from '../../revisions/index.js';
import type { DeletePageDto, InsertPageDto, RevertPageDto, UpdatePageDto } from '../dto/page-changes.dto.js';
import type { RefGround } from './content-refs.js';

/** An entry of a batch with all that could be made ready before the content is opened: it may be applied several times. */
export type ReadyChange =
  | { operation: 'insert_page'; change: InsertPageDto; page: string; text: DocumentRecord | undefined }
  | { operation: 'update_page'; change: UpdatePageDto; text: DocumentRecord | undefined }
  | { operation: 'delete_page'; change: DeletePageDto }
  | { operation: 'revert_page'; change: RevertPageDto }
  | { operation: 'insert_files'; files: FileEntry[] };

/** What one entry is applied to. */
export interface Ground extends RefGround {
  /**
   * The content of the revision `id` of the space; left out: of the one that `revert_page` goes back to by itself.
   * @throws ContentError when there is none.
   */
  earlier: (id?: string) => Promise<ContentTree>;
  /** What the addresses in the texts of `pages` mean in `tree`, by page; those that lead nowhere are left out. */
  meant: (tree: ContentTree, pages: readonly string[]) => Promise<Map<string, PageLinks>>;
}
