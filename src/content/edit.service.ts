import { BadRequestException, ConflictException, Injectable } from '@nestjs/common';
import { ContentError, DocumentError, type DocumentRecord, DocumentsService } from '../revisions/index.js';
import type { Space } from '../spaces/index.js';
import { applyChange, markdownOf, type Touched } from './apply-change.js';
import { ContentWriter } from './content.writer.js';
import type { ChangeDto } from './dto/change-content.dto.js';

/** What a batch came to. */
export interface EditResult {
  /** Id of the revision that holds the changes. */
  revision: string;
  /** One for each page that the batch touched, in the order in which they were first touched. */
  touched: Touched[];
}

/** Batches of changes to primary content (decision B.5). */
@Injectable()
export class EditService {
  constructor(
    private readonly writer: ContentWriter,
    private readonly documents: DocumentsService,
  ) {}

  /**
   * Applies `changes` in order, all or none, as one revision.
   *
   * @throws BadRequestException naming the entry that cannot be applied, ConflictException when the space is locked.
   */
  async edit(space: Space, author: string, changes: ChangeDto[]): Promise<EditResult> {
    checkRefs(changes);
    const texts = await this.store(space.organization, changes);
    const { revision, result } = await this.writer.write(space._id, author, async (editor, present) => {
      const touched = new Map<string, Touched>();
      for (const [index, change] of changes.entries()) {
        const one = await naming(index, () => applyChange(editor, change, texts.get(index)));
        note(touched, one);
      }
      // last: an entry that cannot be applied is told even so
      checkUnlocked(present);
      return [...touched.values()];
    });
    return { revision: revision._id, touched: result };
  }

  /** Stores the texts of `changes`, by the place of their entries. Texts are immutable: that needs no undoing. */
  private async store(organization: string, changes: ChangeDto[]): Promise<Map<number, DocumentRecord>> {
    const stored = new Map<number, DocumentRecord>();
    for (const [index, change] of changes.entries()) {
      await naming(index, async () => {
        const markdown = markdownOf(change);
        if (markdown !== undefined) stored.set(index, await this.documents.put(organization, markdown));
      });
    }
    return stored;
  }
}

function checkUnlocked({ editMode }: Space): void {
  if (editMode === 'locked') {
    throw new ConflictException('The space is locked: its content changes through change requests only');
  }
}

/** @throws BadRequestException when two pages of a batch have the same name. */
function checkRefs(changes: ChangeDto[]): void {
  const seen = new Set<string>();
  for (const [index, change] of changes.entries()) {
    if (change.operation !== 'insert_page' || change.ref === undefined) continue;
    if (seen.has(change.ref))
      throw new BadRequestException(`changes.${index}: ref "${change.ref}" is used twice in this batch`);
    seen.add(change.ref);
  }
}

/** Notes what became of a page: one that was made and changed in the same batch was made. */
function note(touched: Map<string, Touched>, one: Touched): void {
  const before = touched.get(one.page);
  if (before?.kind === 'created' && one.kind === 'updated') return;
  if (before?.kind === 'created' && one.kind === 'deleted') touched.delete(one.page);
  else touched.set(one.page, one);
  if (one.kind !== 'deleted') return;
  for (const page of one.below ?? []) {
    if (touched.has(page)) note(touched, { kind: 'deleted', page });
  }
}

/** Does `work`; what the content rules refuse is told with the place of the entry. */
async function naming<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ContentError || error instanceof DocumentError)) throw error;
    throw new BadRequestException(`changes.${index}: ${error.message}`);
  }
}
