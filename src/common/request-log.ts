import { Logger } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { newId } from './ids.js';

/** What a request came to, for logs and metrics. */
export interface RequestSummary {
  method: string;
  /** Template of the route (`/v1/spaces/:spaceId`), or `unmatched`. */
  route: string;
  status: number;
  /** From the arrival of the request to the end of the answer. */
  ms: number;
}

/**
 * Gives every request an id (the caller's `X-Request-Id` when it is a plain one), which the answer carries, and tells
 * `observe` and the log what became of it. Queries and bodies are not logged: they may hold secrets.
 */
export function requestLog(observe: (summary: RequestSummary) => void): RequestHandler {
  const logger = new Logger('Http');
  return (request: Request, response: Response, next: NextFunction) => {
    const started = process.hrtime.bigint();
    const given = request.get('X-Request-Id');
    const id = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : newId();
    response.setHeader('X-Request-Id', id);
    response.once('close', () => {
      const summary = {
        method: request.method,
        route: routeOf(request),
        // the caller went away before the answer was written
        status: response.writableFinished ? response.statusCode : 499,
        ms: Number(process.hrtime.bigint() - started) / 1e6,
      };
      observe(summary);
      logger.debug({ request: id, ...summary, ms: Math.round(summary.ms * 10) / 10 });
    });
    next();
  };
}

/** Template of the route that `request` took (`/v1/spaces/:spaceId`), or `unmatched`. */
export function routeOf(request: Request): string {
  const { route } = request as { route?: { path?: unknown } };
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}
