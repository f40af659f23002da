import { ApiExtension } from '@nestjs/swagger';

/** Names, for the description, statuses that the operation refuses with beyond those that follow from its form; api-docs.ts reads them. */
export const Fails = (...statuses: (401 | 403 | 404 | 409 | 412 | 413)[]): MethodDecorator =>
  ApiExtension('x-fails', statuses);

/**
 * Names, for the description, the permission that the operation demands: who lacks it, but may view the thing, gets 403.
 * With `view` there is no such caller. Guards that ask for a permission add it; of several at one operation, the first counts.
 */
export const Needs = (permission: string): MethodDecorator => ApiExtension('x-needs', permission);
