import { ForbiddenException } from '@nestjs/common';
import type { Role } from '../common/roles.js';
import { type Space, spacePermissions } from '../spaces/index.js';
import type { ChangeRequest } from './change-request.schema.js';

/** Who asks, and with which effective role in the space of the change request. */
export interface Actor {
  user: string;
  role: Role | null;
}

/** Whether `actor` may change the subject and the state of a change request, and ask others to review it. */
export function mayManage(
  { createdBy }: Pick<ChangeRequest, 'createdBy'>,
  space: Pick<Space, 'deletedAt'>,
  { user, role }: Actor,
): boolean {
  const { edit, review } = spacePermissions(role, space);
  return edit && (user === createdBy || review);
}

/** Whether `actor` may review a change request: not one's own (decision B.7). */
export function mayReview(
  { createdBy }: Pick<ChangeRequest, 'createdBy'>,
  space: Pick<Space, 'deletedAt'>,
  { user, role }: Actor,
): boolean {
  return spacePermissions(role, space).review && user !== createdBy;
}

/** @throws ForbiddenException for who may edit in the space, but neither made the change request nor may review. */
export function requireManagement(...[changeRequest, space, actor]: Parameters<typeof mayManage>): void {
  if (mayManage(changeRequest, space, actor)) return;
  throw new ForbiddenException('This takes having made the change request, or the permission "review" in the space');
}
