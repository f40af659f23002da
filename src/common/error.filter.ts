import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { routeOf } from './request-log.js';

/** What every failed request answers (decisions, section 8). */
export interface ErrorEnvelope {
  error: { code: number; message: string } & Record<string, unknown>;
}

/** A failure as the caller is told of it. */
interface Failure {
  status: number;
  message: string;
  /** Further members of `error`, such as the conflicts of a merge. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Seconds after which a caller may try again when the database is away. */
const RETRY_AFTER = '2';

const UNAVAILABLE: Failure = {
  status: 503,
  message: 'The database cannot be reached just now; try again in a moment',
  headers: { 'Retry-After': RETRY_AFTER },
};

/** Seconds after which a caller may try again when there is no room: somebody has to make it. */
const RETRY_AFTER_FULL = '60';

const FULL: Failure = {
  status: 503,
  message: 'The database has no room for this; it can be tried again when the operator has made some',
  headers: { 'Retry-After': RETRY_AFTER_FULL },
};

/** Of files of this process, as those that hold an archive while it is read. */
const NO_SPACE = new Set<unknown>(['ENOSPC', 'EDQUOT']);
const FULL_HERE: Failure = {
  ...FULL,
  message: 'The service has no room on its disk for this; it can be tried again when the operator has made some',
};

/** Names of the driver's and Mongoose's errors that mean: nobody answers. */
const AWAY =
  /^(Mongo(ose)?(ServerSelection|Network|NetworkTimeout|NotConnected|PoolCleared|PoolClosed|TopologyClosed|ServerClosed|ClientClosed|WaitQueueTimeout|OperationTimeout|ExpiredSession|UnexpectedServerResponse)|PoolClearedOnNetwork)Error$/;
/** Server errors that mean the same: unreachable, shutting down, no primary. */
const AWAY_CODES = new Set<unknown>([6, 7, 64, 89, 91, 189, 262, 462, 9001, 10107, 11600, 11602, 13435, 13436]);
/** Labels of the driver's errors after which the same may succeed. */
const PASSING = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
  'RetryableError',
];
const OUT_OF_DISK_SPACE = 14031;

/**
 * Turns whatever is thrown into the error envelope. Only failures that are ours (5xx) are logged as errors; nothing
 * internal reaches the caller.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  /** Answers the request with the envelope of `thrown`. */
  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const failure = failureOf(thrown);
    if (failure.status >= 500) this.record(thrown, request, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    for (const [name, value] of Object.entries(failure.headers ?? {})) response.setHeader(name, value);
    // whatever the operation was to answer with
    response
      .status(failure.status)
      .type('json')
      .json(envelope(failure.status, failure.message, failure.details));
  }

  private record(thrown: unknown, request: Request, response: Response): void {
    const where = {
      request: response.getHeader('X-Request-Id'),
      method: request.method,
      // not the path: that of a file or an invitation is a secret
      route: routeOf(request),
    };
    // what is refused on purpose, as while the service stops, is no failure of it
    if (thrown instanceof HttpException && thrown.getStatus() === 503)
      this.logger.warn({ why: thrown.message, ...where });
    else this.logger.error({ err: thrown, ...where });
  }
}

/** The body of a failed request. */
export function envelope(code: number, message: string, details?: Record<string, unknown>): ErrorEnvelope {
  return { error: { code, message, ...details } };
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof HttpException) return fromHttpException(thrown);
  const { name, code, labels, status, expose, keyPattern, ...told } = errorFields(wrappedBy(thrown) ?? thrown);
  if (code === 11000) {
    const keys = Object.keys(keyPattern).filter((key) => key !== 'organization');
    return { status: 409, message: `Already taken: ${keys.join(', ') || 'the same value'} is used by another one` };
  }
  if (code === 112 || code === 251) {
    return { status: 409, message: 'Somebody else wrote to the same place at the same moment; try again' };
  }
  if (code === OUT_OF_DISK_SPACE) return FULL;
  if (NO_SPACE.has(code)) return FULL_HERE;
  if (AWAY.test(name) || AWAY_CODES.has(code) || PASSING.some((label) => labels.includes(label))) return UNAVAILABLE;
  // what body parsing and routing throw: a path that cannot be decoded, an unknown charset or encoding
  if (typeof status === 'number' && status >= 400 && status < 500 && expose) {
    return { status, message: toldOfBody(told) ?? told.message };
  }
  if (thrown instanceof URIError) return { status: 400, message: 'The path cannot be decoded' };
  return { status: 500, message: 'Something went wrong on our side; the failure was recorded' };
}

/** What to do about a body that the parser refuses; `undefined` where its own words say so. */
function toldOfBody({ type, limit, message }: { type: unknown; limit: unknown; message: string }): string | undefined {
  if (type === 'entity.parse.failed') return `The body must be a JSON object: ${message}`;
  if (type === 'entity.too.large') return `The body must be at most ${String(limit)} bytes`;
  return undefined;
}

function fromHttpException(exception: HttpException): Failure {
  const status = exception.getStatus();
  const body = exception.getResponse();
  if (typeof body === 'string') return { status, message: body };
  const { message, error: _error, statusCode: _statusCode, headers, ...details } = body as Record<string, unknown>;
  const text = Array.isArray(message) ? message.join('; ') : typeof message === 'string' ? message : exception.message;
  return {
    status,
    message: text,
    details: details.details as Record<string, unknown> | undefined,
    headers: headers as Record<string, string> | undefined,
  };
}

/** The error of the network that the driver wraps, for several writes at once, as if the server had answered with it. */
function wrappedBy(thrown: unknown): Error | undefined {
  const { errorResponse } = typeof thrown === 'object' && thrown !== null ? (thrown as Record<string, unknown>) : {};
  return errorResponse instanceof Error ? errorResponse : undefined;
}

/** The members of a thrown value that tell what it is, each with its type checked. */
function errorFields(thrown: unknown) {
  const fields = typeof thrown === 'object' && thrown !== null ? (thrown as Record<string, unknown>) : {};
  const cause = fields.cause as Record<string, unknown> | undefined;
  const pattern = fields.keyPattern;
  return {
    name: typeof fields.name === 'string' ? fields.name : '',
    code: fields.code ?? cause?.code,
    labels: Array.isArray(fields.errorLabels) ? (fields.errorLabels as unknown[]) : [],
    status: fields.status,
    type: fields.type,
    limit: fields.limit,
    expose: fields.expose === true,
    message: typeof fields.message === 'string' ? fields.message : '',
    keyPattern: typeof pattern === 'object' && pattern !== null ? pattern : {},
  };
}
