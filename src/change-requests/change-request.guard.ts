import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  NotFoundException,
  UseGuards,
} from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { Found } from '../common/found.js';
import { RequireSpace, type SpaceAccess, spaceAccessOf } from '../spaces/index.js';
import type { ChangeRequest } from './change-request.schema.js';
import { ChangeRequestsService } from './change-requests.service.js';

/** The change request of a request's path, with its space and the caller's effective role in it. */
export interface ChangeRequestAccess extends SpaceAccess {
  /** Throws NotFoundException when the space has no such change request: not before body and query are checked. */
  readonly changeRequest: ChangeRequest;
}

const ACCESS = new Found<ChangeRequestAccess>('RequireChangeRequest');

type NamingRequest = Request<{ changeRequestId?: string }>;

/** Loads the change request that the path names by id or number, after the guard of its space. One read. */
@Injectable()
export class ChangeRequestGuard implements CanActivate {
  constructor(private readonly changeRequests: ChangeRequestsService) {}

  /** Lets everybody pass: what is not there is told when it is asked for (decisions, section 8, order of checks). */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<NamingRequest>();
    const access = spaceAccessOf(request);
    const found = await this.changeRequests.find(access.space._id, request.params.changeRequestId ?? '');
    ACCESS.keep(request, {
      ...access,
      get changeRequest() {
        if (!found) throw new NotFoundException('Change request not found');
        return found;
      },
    });
    return true;
  }
}

/**
 * Demands `permission` in the space that the path names, as {@link RequireSpace} does, and loads the change request, by
 * id or number.
 */
export const RequireChangeRequest = (...[permission, more]: Parameters<typeof RequireSpace>) =>
  applyDecorators(
    RequireSpace(permission, more),
    UseGuards(ChangeRequestGuard),
    ApiParam({ name: 'changeRequestId', type: String, description: 'Id of the change request, or its number.' }),
  );

/** Hands the {@link ChangeRequestAccess} of {@link RequireChangeRequest} to a controller's method. */
export const CurrentChangeRequest = ACCESS.parameter;
