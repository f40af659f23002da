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
import { Needs } from '../../common/fails.js';
import { Found } from '../../common/found.js';
import { requirePermission } from '../../common/permissions.js';
import { type IntegrationAccess, integrationAccessOf, RequireIntegration } from '../integration.guard.js';
import { installationPermissions } from '../integration.policy.js';
import type { Installation } from './installation.schema.js';
import { InstallationsService } from './installations.service.js';

/** The installation of a request's path, with its integration. */
export interface InstallationAccess extends IntegrationAccess {
  installation: Installation;
}

type Permission = 'read' | 'admin';

const NEEDED = 'colophon:installation-permission';
const ACCESS = new Found<InstallationAccess>('RequireInstallation');

type NamingRequest = Request<{ installationId?: string }>;

/** Loads the installation that the path names and asks the policy. One read. */
@Injectable()
export class InstallationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly installations: InstallationsService,
  ) {}

  /** @throws NotFoundException for whoever may not know of it, ForbiddenException for who lacks the permission. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const needed = this.reflector.get<Permission>(NEEDED, context.getHandler());
    const access = integrationAccessOf(request);
    const { integration, members } = access;
    const installation = await this.installations.find(integration._id, request.params.installationId ?? '');
    if (!installation) throw new NotFoundException('Installation not found');
    const { organization } = installation;
    const permissions = installationPermissions({ organization, owner: integration.organization }, members);
    requirePermission(permissions, needed, 'Installation');
    ACCESS.keep(request, { ...access, installation });
    return true;
  }
}

/** Demands `permission` on the installation that the path names; who may not know of it gets 404. */
export const RequireInstallation = (permission: Permission) =>
  applyDecorators(
    // before what demands less: the first one stands in the description
    Needs(permission),
    RequireIntegration('view'),
    SetMetadata(NEEDED, permission),
    UseGuards(InstallationGuard),
    ApiParam({ name: 'installationId', type: String, description: 'Id of the installation.' }),
  );

/** Hands the {@link InstallationAccess} of {@link RequireInstallation} to a controller's method. */
export const CurrentInstallation = ACCESS.parameter;
