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
import { requirePermission } from '../common/permissions.js';
import { type OrganizationAccess, organizationAccessOf, RequireOrganization } from '../organizations/index.js';
import { type TeamPermissions, teamPermissions } from './team.policy.js';
import type { Team } from './team.schema.js';
import { TeamsService } from './teams.service.js';

/** The team of a request's path, with its organization and the caller's membership. */
export interface TeamAccess extends OrganizationAccess {
  /** Throws NotFoundException when the organization has no such team: not before body and query are checked. */
  readonly team: Team;
}

interface Need {
  permission: keyof TeamPermissions;
  /** Whether the person whom the path names needs to see the team only. */
  orSelf: boolean;
}

const NEEDED = 'colophon:team-permission';
const ACCESS = new Found<TeamAccess>('RequireTeam');

type NamingRequest = Request<{ teamId?: string; userId?: string }>;

/** Asks the policy, which needs the membership alone, and loads the team that the path names. One read. */
@Injectable()
export class TeamGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly teams: TeamsService,
  ) {}

  /** @throws NotFoundException for who may not see the team, ForbiddenException for who lacks the permission. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const { permission, orSelf } = this.reflector.get<Need>(NEEDED, context.getHandler());
    const access = organizationAccessOf(request);
    const id = request.params.teamId ?? '';
    const isSelf = orSelf && request.params.userId === access.member.user;
    requirePermission(teamPermissions(access.member, id), isSelf ? 'view' : permission, 'Team');
    const found = await this.teams.find(access.organization._id, id);
    ACCESS.keep(request, {
      ...access,
      get team() {
        if (!found) throw new NotFoundException('Team not found');
        return found;
      },
    });
    return true;
  }
}

const requireTeam = ({ permission, orSelf }: Need) =>
  applyDecorators(
    // before what demands less: the first one stands in the description
    Needs(permission),
    RequireOrganization('view'),
    SetMetadata(NEEDED, { permission, orSelf } satisfies Need),
    UseGuards(TeamGuard),
    ApiParam({ name: 'teamId', type: String, description: 'Id of the team.' }),
  );

/** Demands `permission` on the team that the path names; who may not see it gets 404. */
export const RequireTeam = (permission: keyof TeamPermissions) => requireTeam({ permission, orSelf: false });

/** The same, but not of the person whom the path names, if they see the team. */
export const RequireTeamOrSelf = (permission: keyof TeamPermissions) => requireTeam({ permission, orSelf: true });

/** Hands the {@link TeamAccess} of {@link RequireTeam} to a controller's method. */
export const CurrentTeam = ACCESS.parameter;
