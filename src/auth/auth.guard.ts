import { applyDecorators, type ExecutionContext, Injectable, SetMetadata, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';

const OPEN = Symbol('open');

/** Lets an operation be called without a token. */
export const Open = () => applyDecorators(SetMetadata(OPEN, true), ApiExtension('x-open', true));

/** Whether the operation of `context` may be called without a token. */
export function isOpen(reflector: Reflector, context: ExecutionContext): boolean {
  return reflector.getAllAndOverride<boolean | undefined>(OPEN, [context.getHandler(), context.getClass()]) === true;
}

/** Demands a valid bearer token for every operation that is not {@link Open} (decision 6.3). */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  /** @throws UnauthorizedException saying what is wrong with the header or the token. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isOpen(this.reflector, context)) return true;
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    if (authorization === undefined)
      throw new UnauthorizedException('Send your token as "Authorization: Bearer <token>"');
    if (!/^Bearer [^\s]+$/i.test(authorization)) {
      throw new UnauthorizedException('The Authorization header must read "Bearer <token>"');
    }
    return (await super.canActivate(context)) === true;
  }

  /** @throws whatever failed underneath, or UnauthorizedException. */
  override handleRequest<Actor>(error: Error | null, actor: Actor | false): Actor {
    if (error) throw error;
    if (actor === false) throw new UnauthorizedException('The token is unknown, revoked or expired');
    return actor;
  }
}
