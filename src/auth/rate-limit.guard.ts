import { type CanActivate, type ExecutionContext, HttpException, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../config/index.js';
import type { Actor } from './actor.js';

const SIGN_IN = Symbol('sign-in');

/** Holds an operation to the lower limit of sign-ins. */
export const SignIn = () => SetMetadata(SIGN_IN, true);

/**
 * Counts requests by token, those without one by address, and sign-ins by address on their own, in windows of a minute
 * (decisions, section 8). Every answer says in its headers what is left.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly requests: RateLimiterMemory | undefined;
  private readonly signIns: RateLimiterMemory | undefined;

  constructor(
    config: Config,
    private readonly reflector: Reflector,
  ) {
    this.requests = limiter('requests', config.RATE_LIMIT);
    this.signIns = limiter('sign-ins', config.SIGN_IN_RATE_LIMIT);
  }

  /** @throws HttpException 429, with Retry-After, when the minute's share is used up. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Actor }>();
    const isSignIn = this.reflector.get<boolean | undefined>(SIGN_IN, context.getHandler()) === true;
    const limit = isSignIn ? this.signIns : this.requests;
    if (!limit) return true;
    const key = request.user && !isSignIn ? request.user.token : `address ${request.ip ?? ''}`;
    const state = await consume(limit, key);
    const response = http.getResponse<Response>();
    response.setHeader('X-RateLimit-Limit', limit.points);
    response.setHeader('X-RateLimit-Remaining', Math.max(0, state.remainingPoints));
    response.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + state.msBeforeNext) / 1000));
    if (state.consumedPoints > limit.points) throw tooMany(state.msBeforeNext);
    return true;
  }
}

function limiter(keyPrefix: string, points: number): RateLimiterMemory | undefined {
  return points > 0 ? new RateLimiterMemory({ keyPrefix, points, duration: 60 }) : undefined;
}

/** Counts one; the limiter rejects with its state when the share is used up. */
async function consume(limit: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limit.consume(key);
  } catch (state) {
    if (state instanceof RateLimiterRes) return state;
    throw state;
  }
}

function tooMany(ms: number): HttpException {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `Too many requests; try again in ${String(seconds)} seconds`;
  return new HttpException({ message, headers: { 'Retry-After': String(seconds) } }, 429);
}
