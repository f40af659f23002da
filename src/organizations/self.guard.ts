import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { actorOf } from '../auth/index.js';
import { UsersService } from '../users/index.js';

/** Lets people change themselves only. */
@Injectable()
export class SelfGuard implements CanActivate {
  constructor(private readonly users: UsersService) {}

  /** @throws NotFoundException when there is no such person, ForbiddenException when it is somebody else. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request<{ userId: string }>>();
    const { userId } = request.params;
    if (userId === actorOf(request).user) return true;
    await this.users.get(userId);
    throw new ForbiddenException('You may update yourself only');
  }
}
