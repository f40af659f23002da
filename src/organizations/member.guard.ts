import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { actorOf } from '../auth/index.js';
import { Needs } from '../common/fails.js';
import { requirePermission } from '../common/permissions.js';
import { organizationAccessOf, RequireOrganization } from './organization.guard.js';
import { type OrganizationPermissions, organizationPermissions } from './organization.policy.js';

const NEEDED = 'colophon:member-permission';

/** Lets pass who holds a permission in the organization, and the person whom the path names. No read. */
@Injectable()
export class MemberGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws ForbiddenException for who is neither. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request<{ userId: string }>>();
    if (request.params.userId === actorOf(request).user) return true;
    const needed = this.reflector.get<keyof OrganizationPermissions>(NEEDED, context.getHandler());
    requirePermission(organizationPermissions(organizationAccessOf(request).member), needed, 'Organization');
    return true;
  }
}

/** Demands `permission` in the organization that the path names, but not of the person whom it names; strangers get 404. */
export const RequireOrganizationOrSelf = (permission: keyof OrganizationPermissions) =>
  applyDecorators(
    // before what demands less: the first one stands in the description
    Needs(permission),
    RequireOrganization('view'),
    SetMetadata(NEEDED, permission),
    UseGuards(MemberGuard),
  );
