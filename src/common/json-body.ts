import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { envelope } from './error.filter.js';

const JSON_TYPE = 'application/json';
/** Operations that read a body of another type themselves; every other type is refused there all the same. */
const OTHER_BODIES: readonly { method: string; path: RegExp; type: string }[] = [
  { method: 'PUT', path: /^\/v1\/spaces\/[^/]+\/content\/archive\/?$/, type: 'application/zip' },
  { method: 'POST', path: /^\/saml\/[^/]+\/acs\/?$/, type: 'application/x-www-form-urlencoded' },
];

/** What the bodies were, of requests that are to be told from others. */
const hashes = new WeakMap<object, string>();

/** A hash of the bytes that the body of `request` came as; those with an `Idempotency-Key` alone have one, and no body is ''. */
export const bodyHashOf = (request: Request): string => hashes.get(request) ?? '';

/**
 * Reads JSON bodies of at most `limit` bytes. A body of any other type is refused with 415, unless the operation takes
 * just that type: then the body is left to be read there.
 */
export function jsonBody(limit: number): RequestHandler[] {
  // the parser takes a body of no bytes for an empty object, which is something else
  const empty = new WeakSet<object>();
  const verify = (request: IncomingMessage, _response: unknown, bytes: Buffer): void => {
    if (bytes.length === 0) empty.add(request);
    else if (request.headers['idempotency-key'] !== undefined) hashes.set(request, hashOf(bytes));
  };
  const json = express.json({ limit, type: 'application/json', verify });
  return [
    (request: Request, response: Response, next: NextFunction) => {
      const wanted = wantedType(request);
      if (hasBody(request) && !isOfType(request, wanted)) {
        const type = request.get('Content-Type') ?? 'none';
        response.status(415).json(envelope(415, `Send the body as Content-Type: ${wanted}, not ${type}`));
        return;
      }
      next();
    },
    (request: Request, response: Response, next: NextFunction) => {
      if (hasBody(request) && wantedType(request) === JSON_TYPE) json(request, response, next);
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

/** The media type that a body of `request` has to have. */
function wantedType({ method, path }: Request): string {
  return OTHER_BODIES.find((one) => one.method === method && one.path.test(path))?.type ?? JSON_TYPE;
}

/** Whether the body is of that media type; parameters such as the charset do not matter here. */
function isOfType(request: Request, type: string): boolean {
  const [given = ''] = (request.get('Content-Type') ?? '').split(';', 1);
  return given.trim().toLowerCase() === type;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');
