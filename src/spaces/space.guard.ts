import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  NotFoundException,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { callerOf, isVisitor } from '../auth/index.js';
import { Needs } from '../common/fails.js';
import { Found } from '../common/found.js';
import { isId } from '../common/ids.js';
import { requirePermission } from '../common/permissions.js';
import type { Role } from '../common/roles.js';
import {
  type Member,
  MembersService,
  type OrganizationPermissions,
  organizationPermissions,
} from '../organizations/index.js';
import { CollectionsService } from './collections.service.js';
import { effectiveRole, type Inherited } from './space-role.js';
import type { Audience } from './questions.js';
import { SpacePublications } from './space-publications.js';
import { type SpacePermissions, spacePermissions } from './space.policy.js';
import type { Space } from './space.schema.js';
import { SpacesService } from './spaces.service.js';

/** The space of a request's path, with the caller's effective role. */
export interface SpaceAccess {
  space: Space;
  role: Role | null;
  /** What comes down to it from the collections above. */
  inherited: Inherited;
  /** The caller's membership in the organization of the space; `null`: a stranger, or a visitor. */
  member: Member | null;
  /** As whom the caller looks at what is published of it. */
  audience: Audience;
  /** Whether a published site alone lets the caller read: what is, or was, the primary content, and nothing else. */
  admitted: boolean;
}

interface Need {
  permission: keyof SpacePermissions;
  /** Whether the operation also works on a space in the trash. */
  trash?: boolean;
  /** Permission that it takes too while the space is locked. */
  locked?: keyof SpacePermissions;
  /** Permission that it takes too in the organization of the space. */
  organization?: keyof OrganizationPermissions;
}

const NEEDED = 'colophon:space-permission';
const ACCESS = new Found<SpaceAccess>('RequireSpace');

type NamingRequest = Request<{ spaceId?: string }>;

/**
 * Loads the space that the path names and asks the policy. Two reads at the root, four at most within collections; for
 * who has no role in it, what it takes to see whether a published site lets them read.
 */
@Injectable()
export class SpaceGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly spaces: SpacesService,
    private readonly collections: CollectionsService,
    private readonly members: MembersService,
    private readonly publications: SpacePublications,
  ) {}

  /** @throws NotFoundException for whoever may not see the space, ForbiddenException for who lacks the permission. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const need = this.reflector.get<Need>(NEEDED, context.getHandler());
    const id = request.params.spaceId;
    const space = isId(id) ? await this.spaces.find(id) : null;
    if (!space || (space.deletedAt && need.trash !== true)) throw new NotFoundException('Space not found');
    const audience = await this.audience(space, request);
    const { member } = audience;
    const inherited = await this.collections.inherited(space.parent, member);
    const role = effectiveRole(space, member, inherited.role);
    const admitted = role === null && !space.deletedAt && (await this.publications.admits(space, audience));
    const permissions = spacePermissions(role, space, admitted);
    requirePermission(permissions, need.permission, 'Space');
    checkMore(need, { space, member, permissions });
    ACCESS.keep(request, { space, role, inherited, member, audience, admitted });
    return true;
  }

  private async audience(space: Space, request: NamingRequest): Promise<Audience> {
    const caller = callerOf(request);
    if (isVisitor(caller)) return { visitor: caller, member: null };
    const { shareKey } = request.query;
    return {
      visitor: null,
      member: await this.members.find(space.organization, caller.user),
      ...(typeof shareKey === 'string' && { shareKey }),
    };
  }
}

/** @throws ForbiddenException for who lacks what an operation takes beside its permission in the space. */
function checkMore(
  { locked, organization }: Need,
  { space, member, permissions }: Pick<SpaceAccess, 'space' | 'member'> & { permissions: SpacePermissions },
): void {
  if (organization && !organizationPermissions(member)[organization]) {
    throw new ForbiddenException(
      `You may see this space, but you lack the permission "${organization}" in its organization`,
    );
  }
  if (locked && space.editMode === 'locked' && !permissions[locked]) {
    throw new ForbiddenException(`The space is locked: this takes the permission to ${locked}`);
  }
}

/** Demands `permission` in the space that the path names, and what `more` says; who may not see it gets 404. */
export const RequireSpace = (permission: keyof SpacePermissions, more: Omit<Need, 'permission'> = {}) =>
  applyDecorators(
    SetMetadata(NEEDED, { permission, ...more } satisfies Need),
    Needs(permission),
    UseGuards(SpaceGuard),
    ApiParam({ name: 'spaceId', type: String, description: 'Id of the space.' }),
  );

/** What {@link RequireSpace} found for `request`: for the guards of what stands in a space. */
export const spaceAccessOf = (request: Request): SpaceAccess => ACCESS.of(request);

/** Hands the {@link SpaceAccess} of {@link RequireSpace} to a controller's method. */
export const CurrentSpace = ACCESS.parameter;
