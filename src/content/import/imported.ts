import { ForbiddenException } from '@nestjs/common';
import type { Space } from '../../spaces/index.js';

/** What an import came to. */
export interface Imported {
  /** Id of the revision with what was added. */
  revision: string;
  /** Documents and files that were added. */
  imported: number;
  /** Documents and files that were found within the limits. */
  total: number;
}

/** Importing into a locked space takes the permission to merge (decision 3.28). @throws ForbiddenException */
export function checkImportLock({ editMode }: Pick<Space, 'editMode'>, mayMerge: boolean): void {
  if (editMode === 'locked' && !mayMerge) {
    throw new ForbiddenException('The space is locked: importing into it takes the permission to merge');
  }
}
