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
import { actorOf } from '../auth/index.js';
import { Needs } from '../common/fails.js';
import { Found } from '../common/found.js';
import { requirePermission } from '../common/permissions.js';
import { type Member, MembersService } from '../organizations/index.js';
import { integrationPermissions, seesIntegration } from './integration.policy.js';
import { type Integration, INTEGRATION_NAME } from './integration.schema.js';
import { IntegrationsService } from './integrations.service.js';

/** The integration of a request's path, with what the caller is to it. */
export interface IntegrationAccess {
  integration: Integration;
  /** Memberships of the caller, by organization. */
  members: ReadonlyMap<string, Member>;
}

type Permission = 'view' | 'admin';

const NEEDED = 'colophon:integration-permission';
const ACCESS = new Found<IntegrationAccess>('RequireIntegration');

type NamingRequest = Request<{ integrationName?: string }>;

/** Loads the integration that the path names and asks the policy. Two reads. */
@Injectable()
export class IntegrationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly integrations: IntegrationsService,
    private readonly members: MembersService,
  ) {}

  /** @throws NotFoundException for whoever may not see the integration, ForbiddenException for who lacks the permission. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const needed = this.reflector.get<Permission>(NEEDED, context.getHandler());
    const integration = await this.integrations.find(request.params.integrationName ?? '');
    if (!integration) throw new NotFoundException('Integration not found');
    const members = await this.members.organizationsOf(actorOf(request).user);
    const permissions = {
      ...integrationPermissions(integration, members),
      view: seesIntegration(integration, members),
    };
    requirePermission(permissions, needed, 'Integration');
    ACCESS.keep(request, { integration, members });
    return true;
  }
}

/** Describes the name of an integration in the path. */
export const IntegrationNameParam = () =>
  ApiParam({
    name: 'integrationName',
    description: 'Name of the integration.',
    schema: { type: 'string', maxLength: 100, pattern: INTEGRATION_NAME.source },
  });

/** Demands `permission` on the integration that the path names; who may not see it gets 404. */
export const RequireIntegration = (permission: Permission) =>
  applyDecorators(
    SetMetadata(NEEDED, permission),
    Needs(permission),
    UseGuards(IntegrationGuard),
    IntegrationNameParam(),
  );

/** What {@link RequireIntegration} found for `request`: for the guards of what belongs to an integration. */
export const integrationAccessOf = (request: Request): IntegrationAccess => ACCESS.of(request);

/** Hands the {@link IntegrationAccess} of {@link RequireIntegration} to a controller's method. */
export const CurrentIntegration = ACCESS.parameter;
