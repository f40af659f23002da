import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  NotFoundException,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { Needs } from '../common/fails.js';
import { Found } from '../common/found.js';
import { isId } from '../common/ids.js';
import { requirePermission } from '../common/permissions.js';
import { actorOf } from '../auth/index.js';
import type { Member } from './member.schema.js';
import { MembersService } from './members.service.js';
import { type OrganizationRights, organizationRights } from './organization.policy.js';
import type { Organization } from './organization.schema.js';
import { OrganizationsService } from './organizations.service.js';

/** The organization of a request's path, with the caller's membership. */
export interface OrganizationAccess {
  organization: Organization;
  member: Member;
}

const NEEDED = 'colophon:organization-permission';
const ACCESS = new Found<OrganizationAccess>('RequireOrganization');

type NamingRequest = Request<{ organizationId?: string }>;

/** Loads the organization that the path names and asks the policy. Two reads. */
@Injectable()
export class OrganizationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
  ) {}

  /** @throws NotFoundException for strangers, ForbiddenException for members who lack the permission. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const needed = this.reflector.get<keyof OrganizationRights>(NEEDED, context.getHandler());
    const id = request.params.organizationId;
    const member = isId(id) ? await this.members.find(id, actorOf(request).user) : null;
    if (!member) throw new NotFoundException('Organization not found');
    requirePermission(organizationRights(member), needed, 'Organization');
    ACCESS.keep(request, { organization: await this.organizations.get(member.organization), member });
    return true;
  }
}

/** Demands `permission` in the organization that the path names; strangers get 404. */
export const RequireOrganization = (permission: keyof OrganizationRights) =>
  applyDecorators(
    SetMetadata(NEEDED, permission),
    Needs(permission),
    UseGuards(OrganizationGuard),
    ApiParam({ name: 'organizationId', type: String, description: 'Id of the organization.' }),
  );

/** What {@link RequireOrganization} found for `request`: for the guards of what belongs to an organization. */
export const organizationAccessOf = (request: Request): OrganizationAccess => ACCESS.of(request);

/** Hands the {@link OrganizationAccess} of {@link RequireOrganization} to a controller's method. */
export const CurrentOrganization = ACCESS.parameter;
