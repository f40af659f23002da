import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Caller } from './actor.js';
import { addressKey, RateLimits } from './rate-limits.js';

const SIGN_IN = Symbol('sign-in');

/** Holds an operation to the lower limit of sign-ins. */
export const SignIn = () => SetMetadata(SIGN_IN, true);

const UNCOUNTED = Symbol('uncounted');

/** Holds a controller to no limit: whoever looks after the service asks it, from the address of everybody else. */
export const Uncounted = () => SetMetadata(UNCOUNTED, true);

/** Counts requests by token, those without one by address, and sign-ins by address on their own. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

  /** @throws HttpException 429 when the minute's share is used up. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(UNCOUNTED, context.getClass()) === true) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Caller }>();
    const isSignIn = this.reflector.get<boolean | undefined>(SIGN_IN, context.getHandler()) === true;
    const response = http.getResponse<Response>();
    if (isSignIn) await this.limits.spendSignIn(addressKey(request), response);
    else this.limits.spend(request.user?.token ?? addressKey(request), response);
    return true;
  }
}
