import { BadRequestException } from '@nestjs/common';
import { ContentError } from '../revisions/index.js';

/** Does `work`; what the content rules refuse becomes a BadRequestException. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContentError) throw new BadRequestException(error.message);
    throw error;
  }
}
