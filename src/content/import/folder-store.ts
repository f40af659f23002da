import { batchesOf } from '../../common/batches-of.js';
import { Slots } from '../../common/slots.js';
import { ContentError, type DocumentRecord, type DocumentsService, type FileEntry } from '../../revisions/index.js';
import type { FilesService, NewFile } from '../files/index.js';

/** Texts that are stored together. */
const BATCH = 20;
/** Files that are stored at a time. */
const AT_ONCE = 4;

/** Stores what an import found, for one organization. */
export class FolderStore {
  constructor(
    private readonly services: { documents: DocumentsService; files: FilesService },
    private readonly organization: string,
    private readonly maxFiles: number,
  ) {}

  /** Stores texts; in the place of each its record, or why it cannot be stored. */
  async texts(texts: readonly string[]): Promise<(DocumentRecord | ContentError)[]> {
    const stored: (DocumentRecord | ContentError)[] = [];
    for (const batch of batchesOf(texts, BATCH)) stored.push(...(await this.batch(batch)));
    return stored;
  }

  /**
   * Stores the files that `load` answers for `names`, each name once, as many as an import may add.
   * @returns the files by name, without those that there are none of, and how many were asked for.
   */
  async files(
    names: Iterable<string>,
    load: (name: string) => Promise<NewFile | undefined>,
  ): Promise<{ files: Map<string, FileEntry>; total: number }> {
    const wanted = [...new Set(names)].slice(0, this.maxFiles);
    const files = new Map<string, FileEntry>();
    const room = new Slots(AT_ONCE);
    const storeOne = async (name: string): Promise<void> => {
      const file = await load(name);
      if (file) files.set(name, await this.services.files.add(this.organization, file));
    };
    await Promise.all(wanted.map((name) => room.run(() => storeOne(name))));
    return { files, total: wanted.length };
  }

  /** Where one text of a batch cannot be stored, none is: then each is stored by itself. */
  private async batch(texts: readonly string[]): Promise<(DocumentRecord | ContentError)[]> {
    try {
      return await this.services.documents.putMany(this.organization, texts);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      if (texts.length === 1) return [error];
      const stored: (DocumentRecord | ContentError)[] = [];
      for (const text of texts) stored.push(...(await this.batch([text])));
      return stored;
    }
  }
}
