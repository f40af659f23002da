import { BadRequestException, ConflictException, NotFoundException } from '@nestjs/common';
import { StructureError, type StructureReason } from './structure-error.js';

const EXCEPTIONS: Record<StructureReason, new (message: string) => Error> = {
  missing: NotFoundException,
  invalid: BadRequestException,
  taken: ConflictException,
};

/** What `change` answers. @throws as an HTTP exception what it refuses as a StructureError. */
export async function refusing<T>(change: () => T | Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw error instanceof StructureError ? new EXCEPTIONS[error.reason](error.message) : error;
  }
}
