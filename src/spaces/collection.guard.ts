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
import { isId } from '../common/ids.js';
import { requirePermission } from '../common/permissions.js';
import type { Role } from '../common/roles.js';
import { type Member, MembersService } from '../organizations/index.js';
import { type CollectionPermissions, collectionPermissions } from './collection.policy.js';
import type { Collection } from './collection.schema.js';
import { CollectionsService } from './collections.service.js';
import type { Inheritance } from './space-role.js';

/** The collection of a request's path, with the caller's effective role. */
export interface CollectionAccess {
  collection: Collection;
  role: Role | null;
  /** What comes down from it and from those above it. */
  inheritance: Inheritance;
  member: Member;
}

const NEEDED = 'colophon:collection-permission';
const ACCESS = new Found<CollectionAccess>('RequireCollection');

type NamingRequest = Request<{ collectionId?: string }>;

/** Loads the collection that the path names and asks the policy. Three reads at most. */
@Injectable()
export class CollectionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly collections: CollectionsService,
    private readonly members: MembersService,
  ) {}

  /** @throws NotFoundException for whoever may not see it, ForbiddenException for who lacks the permission. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const needed = this.reflector.get<keyof CollectionPermissions>(NEEDED, context.getHandler());
    const id = request.params.collectionId;
    const collection = isId(id) ? await this.collections.find(id) : null;
    const member = collection && (await this.members.find(collection.organization, actorOf(request).user));
    if (!collection || !member) throw new NotFoundException('Collection not found');
    const inheritance = await this.collections.inheritanceFrom(collection, member);
    const { role } = inheritance.of(collection._id);
    requirePermission(collectionPermissions(role), needed, 'Collection');
    ACCESS.keep(request, { collection, role, inheritance, member });
    return true;
  }
}

/** Demands `permission` in the collection that the path names; who may not see it gets 404. */
export const RequireCollection = (permission: keyof CollectionPermissions) =>
  applyDecorators(
    SetMetadata(NEEDED, permission),
    Needs(permission),
    UseGuards(CollectionGuard),
    ApiParam({ name: 'collectionId', type: String, description: 'Id of the collection.' }),
  );

/** Hands the {@link CollectionAccess} of {@link RequireCollection} to a controller's method. */
export const CurrentCollection = ACCESS.parameter;
