import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { envelope } from './error.filter.js';

/**
 * Reads JSON bodies of at most `limit` bytes. A body of any other type is refused with 415, whatever the operation.
 */
export function jsonBody(limit: number): RequestHandler[] {
  // the parser takes a body of no bytes for an empty object, which is something else
  const empty = new WeakSet<object>();
  const verify = (request: object, _response: unknown, bytes: Buffer): void => {
    if (bytes.length === 0) empty.add(request);
  };
  const json = express.json({ limit, type: 'application/json', verify });
  return [
    (request: Request, response: Response, next: NextFunction) => {
      if (hasBody(request) && !isJson(request)) {
        const type = request.get('Content-Type') ?? 'none';
        response.status(415).json(envelope(415, `Send the body as Content-Type: application/json, not ${type}`));
        return;
      }
      next();
    },
    (request: Request, response: Response, next: NextFunction) => {
      if (hasBody(request)) json(request, response, next);
      else next();
    },
    (request: Request, _response: Response, next: NextFunction) => {
      if (empty.has(request)) request.body = undefined;
      next();
    },
  ];
}

function hasBody(request: Request): boolean {
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the media type is JSON; parameters such as the charset do not matter here. */
function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.get('Content-Type') ?? '');
}
