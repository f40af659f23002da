import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { type Caller, isVisitor } from './actor.js';

const FOR_VISITORS = Symbol('for visitors');

/** Lets an operation be called with the token of a published site too; its guard has to say what that token may read. */
export const ForVisitors = () => SetMetadata(FOR_VISITORS, true);

/** Refuses the tokens of published sites wherever an operation is not {@link ForVisitors} (decision 6.5). */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws ForbiddenException for a visitor who calls what is for people. */
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    if (!user || !isVisitor(user)) return true;
    if (this.reflector.get<boolean | undefined>(FOR_VISITORS, context.getHandler()) === true) return true;
    throw new ForbiddenException('This token reads one published site only; send the token of a person');
  }
}
