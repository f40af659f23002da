import { ConflictException, Injectable } from '@nestjs/common';
import { type FileEntry, RevisionsService } from '../revisions/index.js';
import type { Space } from '../spaces/index.js';
import { Batches } from './changes/batches.service.js';
import type { Touched } from './changes/touched.js';
import { ContentWriter } from './content.writer.js';
import type { ChangeDto } from './dto/change-content.dto.js';

/** What a batch came to. */
export interface EditResult {
  /** Id of the revision that holds the changes. */
  revision: string;
  /** One for each page that the batch touched, in the order in which they were first touched. */
  touched: Touched[];
  /** The files that it inserted, in order. */
  files: FileEntry[];
}

/** Batches of changes to primary content (decision B.5). */
@Injectable()
export class EditService {
  constructor(
    private readonly batches: Batches,
    private readonly writer: ContentWriter,
    private readonly revisions: RevisionsService,
  ) {}

  /**
   * Applies `changes` in order, all or none, as one revision.
   *
   * @throws BadRequestException naming the entry that cannot be applied, ConflictException when the space is locked.
   */
  async edit(space: Space, author: string, changes: ChangeDto[]): Promise<EditResult> {
    const batch = await this.batches.prepare(space.organization, changes);
    const { revision, result } = await this.writer.write(space._id, author, async (editor, present) => {
      const base = await this.revisions.get(present.revision);
      const touched = await this.batches.apply(batch, editor, { revision: base, before: base.parents[0] ?? null });
      // last: an entry that cannot be applied is told even so
      checkUnlocked(present);
      return touched;
    });
    return { revision: revision._id, touched: result, files: batch.files };
  }
}

function checkUnlocked({ editMode }: Space): void {
  if (editMode === 'locked') {
    throw new ConflictException('The space is locked: its content changes through change requests only');
  }
}
