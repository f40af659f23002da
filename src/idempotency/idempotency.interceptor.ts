import { createHash } from 'node:crypto';
import {
  BadRequestException,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { type Caller, isVisitor } from '../auth/index.js';
import { bodyHashOf } from '../common/json-body.js';
import { READS } from '../common/reads.js';
import { Idempotency, type KeptAnswer, type Keyed } from './idempotency.service.js';

/** Characters of a key: printable ASCII, as many as there may be. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Has each POST of a person that comes with an `Idempotency-Key` carried out once, after the guards: who may not do it is told so, with
 * or without a kept answer. Where nobody is known, and where a POST only reads, the header says nothing.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: Idempotency,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Caller }>();
    const key = request.headers['idempotency-key'];
    const { method, user: caller } = request;
    if (method !== 'POST' || key === undefined || !caller || isVisitor(caller)) return next.handle();
    if (this.reflector.get<boolean | undefined>(READS, context.getHandler()) === true) return next.handle();
    const keyed = keyedOf(request, caller.user, String(key));
    const response = http.getResponse<Response>();
    const before = { ...response.getHeaders() };
    const result = await this.idempotency.once(
      keyed,
      () => lastValueFrom(next.handle() as Observable<unknown>, { defaultValue: undefined }),
      (body) => answerOf(response, before, body),
    );
    return of('kept' in result ? replay(response, result.kept) : result.done);
  }
}

/** @throws BadRequestException for a key that is none. */
function keyedOf(request: Request, user: string, key: string): Keyed {
  if (!KEY.test(key)) {
    throw new BadRequestException('Idempotency-Key must be 1 to 255 printable characters of ASCII, such as a UUID');
  }
  return {
    id: hashOf(user, key),
    request: hashOf(request.method, request.originalUrl, bodyHashOf(request)),
  };
}

/** None of the parts but the last has a line break in it. */
const hashOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64url');

/** What `body` is sent as; of the headers, those that the operation has set. */
function answerOf(response: Response, before: object, body: unknown): KeptAnswer {
  const headers = Object.entries(response.getHeaders()).filter(([name]) => !(name in before));
  return {
    status: response.statusCode,
    headers: Object.fromEntries(headers) as KeptAnswer['headers'],
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** Has `kept` sent once more: what was read out of JSON is written as the same JSON. */
function replay(response: Response, { status, headers, body }: KeptAnswer): unknown {
  response.status(status).set('Idempotent-Replayed', 'true');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  return body === undefined ? undefined : JSON.parse(body);
}
