import { ForbiddenException, NotFoundException } from '@nestjs/common';

/**
 * Refuses a caller who lacks `needed`. Who may not even view the thing is told that it does not exist, so that its
 * existence stays hidden (decisions 2 and 8).
 *
 * @param thing What is asked for, as the message names it: `Space`, `Comment`.
 * @throws NotFoundException when `view` is false, ForbiddenException when only `needed` is.
 */
export function requirePermission<P extends { view: boolean }>(
  permissions: P,
  needed: keyof P & string,
  thing: string,
): void {
  if (!permissions.view) throw new NotFoundException(`${thing} not found`);
  if (!permissions[needed]) {
    throw new ForbiddenException(
      `You may see this ${thing.toLowerCase()}, but you lack the permission "${needed}" on it`,
    );
  }
}
