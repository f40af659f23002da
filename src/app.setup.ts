import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { serveApiDocs } from './api-docs.js';
import { RateLimits } from './auth/index.js';
import { ErrorFilter } from './common/error.filter.js';
import { InputPipe } from './common/input.pipe.js';
import { jsonBody } from './common/json-body.js';
import { answerMalformed } from './common/malformed-requests.js';
import { rememberMetadata } from './common/remembered-metadata.js';
import { requestLog } from './common/request-log.js';
import { Config } from './config/index.js';
import { HttpMetrics, Lifecycle } from './system/index.js';

/** Headers of answers that pages of other origins may read. */
const EXPOSED = [
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Options that the application must be created with: bodies are read by ourselves. */
export const APP_OPTIONS = { bodyParser: false } as const;

/** Everything between the socket and the routes, for the service and for its tests alike. */
export function configureApp(app: INestApplication): void {
  const express = app as NestExpressApplication;
  const config = app.get(Config);
  express.set('trust proxy', config.TRUST_PROXY);
  express.disable('x-powered-by');
  // entity tags are made of single things, not of every answer: see entity-tags
  express.set('etag', false);
  answerMalformed(express.getHttpServer());
  const metrics = app.get(HttpMetrics);
  app.use(
    requestLog((summary) => {
      void metrics.observe(summary);
    }),
  );
  app.use(app.get(RateLimits, { strict: false }).headers());
  app.use(closingConnections(app.get(Lifecycle)));
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
      crossOriginResourcePolicy: { policy: 'cross-origin' },
    }),
  );
  const everyOrigin = config.CORS_ORIGINS.includes('*');
  app.enableCors({ origin: everyOrigin ? '*' : config.CORS_ORIGINS, exposedHeaders: EXPOSED, maxAge: 3600 });
  app.use(...jsonBody(config.BODY_LIMIT));
  rememberMetadata();
  app.useGlobalPipes(new InputPipe());
  app.useGlobalFilters(new ErrorFilter());
  serveApiDocs(app);
}

/**
 * Ends the connection with the answer once the service is shutting down, so that clients open the next one elsewhere
 * before the port is closed, and lose no request that they send at that moment.
 */
function closingConnections(lifecycle: Lifecycle): RequestHandler {
  return (_request, response, next) => {
    if (lifecycle.draining) response.setHeader('Connection', 'close');
    next();
  };
}
