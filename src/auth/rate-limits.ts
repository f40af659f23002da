import { HttpException, Injectable } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../config/index.js';
import { networkOf } from './lockout.js';

/** Length of the windows in which requests are counted, in seconds. */
const WINDOW = 60;

/** What is counted apart from each other. */
export type Limited = 'requests' | 'sign-ins';

/** Counts requests in windows of a minute, and tells in the headers of every answer what is left (decisions, section 8). */
@Injectable()
export class RateLimits {
  private readonly limiters: Record<Limited, RateLimiterMemory | undefined>;

  constructor(config: Config) {
    this.limiters = {
      requests: limiter('requests', config.RATE_LIMIT),
      'sign-ins': limiter('sign-ins', config.SIGN_IN_RATE_LIMIT),
    };
  }

  /**
   * Counts one request for `key`. @throws HttpException 429, with Retry-After, when the minute's share is used up.
   */
  async spend(what: Limited, key: string, response: Response): Promise<void> {
    const limit = this.limiters[what];
    if (!limit) return;
    const state = await consume(limit, key);
    tell(response, limit, state);
    if (state.consumedPoints > limit.points) throw tooMany(state.msBeforeNext);
  }

  /** Tells what the caller's address has left, for answers that are given before it is known who asks. */
  headers(): RequestHandler {
    return (request: Request, response: Response, next: NextFunction) => {
      const limit = this.limiters.requests;
      if (!limit) {
        next();
        return;
      }
      limit.get(addressKey(request)).then((state) => {
        tell(response, limit, state ?? new RateLimiterRes(limit.points, WINDOW * 1000));
        next();
      }, next);
    };
  }
}

/** What a request without a token is counted by: its address, of IPv6 the network that one customer has. */
export function addressKey(request: Request): string {
  return `address ${networkOf(request.ip ?? '')}`;
}

function tell(response: Response, limit: RateLimiterMemory, state: RateLimiterRes): void {
  response.setHeader('X-RateLimit-Limit', limit.points);
  response.setHeader('X-RateLimit-Remaining', Math.max(0, state.remainingPoints));
  response.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + state.msBeforeNext) / 1000));
}

function limiter(keyPrefix: string, points: number): RateLimiterMemory | undefined {
  return points > 0 ? new RateLimiterMemory({ keyPrefix, points, duration: WINDOW }) : undefined;
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

/** A refusal for `ms`, with Retry-After in seconds; `what` begins its message. */
export function tooMany(ms: number, what = 'Too many requests'): HttpException {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `${what}; try again in ${seconds} seconds`;
  return new HttpException({ message, headers: { 'Retry-After': String(seconds) } }, 429);
}
