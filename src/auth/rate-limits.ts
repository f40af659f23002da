import { HttpException, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Config } from '../config/index.js';
import { networkOf } from './lockout.js';
import { RateCounts } from './rate-counts.service.js';
import { type Share, type Spent, Tally, windowOf } from './tally.js';

/** How long after a request the processes tell each other what they have counted, in ms. */
const MERGE = 1000;
/** Tokens and addresses of which they tell each other at a time; those that ask most come first. */
const MOST = 1000;

/**
 * Counts requests in windows of a minute, and tells in the headers of every answer what is left (decisions, section 8).
 *
 * Sign-ins are counted in the database, so that their limit holds at once in all processes. Requests are counted here; a
 * second later the processes add up what each of them has let through.
 */
@Injectable()
export class RateLimits implements OnModuleDestroy {
  private readonly logger = new Logger(RateLimits.name);
  private readonly requests?: Tally;
  private readonly signIns?: Tally;
  /** Whether other processes may serve requests from the same database. */
  private readonly shared: boolean;
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    config: Config,
    private readonly counts: RateCounts,
  ) {
    this.shared = !config.embedded;
    if (config.RATE_LIMIT > 0) this.requests = new Tally(config.RATE_LIMIT);
    if (config.SIGN_IN_RATE_LIMIT > 0) this.signIns = new Tally(config.SIGN_IN_RATE_LIMIT);
  }

  /** Counts one request for `key`. @throws HttpException 429, with Retry-After, when the minute's share is used up. */
  spend(key: string, response: Response): void {
    const { requests } = this;
    if (!requests) return;
    const spent = requests.spend(key, Date.now());
    if (spent.counted) this.mergeSoon(requests);
    answer(response, requests, spent);
  }

  /**
   * Counts one attempt to sign in for `key`. @throws HttpException 429, with Retry-After, when the minute's share is used up
   * in all processes together.
   */
  async spendSignIn(key: string, response: Response): Promise<void> {
    const { signIns } = this;
    if (!signIns) return;
    const now = Date.now();
    const share = signIns.share(key, now);
    // who is known to have nothing left costs no write
    if (share.remaining === 0) {
      answer(response, signIns, { ...share, counted: false });
      return;
    }
    const one = { key, window: windowOf(now), count: 1 };
    const total = await this.counts.addOne('sign-ins', one);
    signIns.learn({ ...one, count: 0 }, total);
    answer(response, signIns, {
      remaining: Math.max(0, signIns.limit - total),
      resetsAt: share.resetsAt,
      counted: total <= signIns.limit,
    });
  }

  /** Tells what the caller's address has left, for answers that are given before it is known who asks. */
  headers(): RequestHandler {
    return (request: Request, response: Response, next: NextFunction) => {
      if (this.requests) tell(response, this.requests, this.requests.share(addressKey(request), Date.now()));
      next();
    };
  }

  /** Adds nothing up any more. */
  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Adds up in a second, unless that is about to happen anyway or there is nobody to add up with. */
  private mergeSoon(tally: Tally): void {
    if (!this.shared || this.timer || this.stopped) return;
    this.timer = setTimeout(() => {
      void this.merge(tally).finally(() => {
        this.timer = undefined;
        if (tally.hasDue(Date.now())) this.mergeSoon(tally);
      });
    }, MERGE).unref();
  }

  private async merge(tally: Tally): Promise<void> {
    const due = tally.due(Date.now(), MOST);
    if (due.length === 0) return;
    try {
      const totals = await this.counts.add('requests', due);
      for (const [index, one] of due.entries()) tally.learn(one, totals[index] ?? one.count);
    } catch (error) {
      // the database is away, which others tell of: what is due stays so, and each process counts for itself
      this.logger.debug(`Rate limits are counted apart for now: ${String(error)}`);
    }
  }
}

/** What a request without a token is counted by: its address, of IPv6 the network that one customer has. */
export function addressKey(request: Request): string {
  return `address ${networkOf(request.ip ?? '')}`;
}

function tell(response: Response, { limit }: Tally, { remaining, resetsAt }: Share): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetsAt / 1000);
}

function answer(response: Response, tally: Tally, spent: Spent): void {
  tell(response, tally, spent);
  if (!spent.counted) throw tooMany(spent.resetsAt - Date.now());
}

/** A refusal for `ms`, with Retry-After in seconds; `what` begins its message. */
export function tooMany(ms: number, what = 'Too many requests'): HttpException {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `${what}; try again in ${seconds} seconds`;
  return new HttpException({ message, headers: { 'Retry-After': String(seconds) } }, 429);
}
