import { BadRequestException } from '@nestjs/common';
import { ConditionError, parseCondition } from '../../conditions/index.js';

/** @throws BadRequestException for a condition that cannot be read (decision 3.20); `null` and absent are fine. */
export function checkCondition(condition: string | null | undefined): void {
  if (condition === null || condition === undefined) return;
  try {
    parseCondition(condition);
  } catch (error) {
    throw error instanceof ConditionError ? new BadRequestException(`condition ${error.message}`) : error;
  }
}
