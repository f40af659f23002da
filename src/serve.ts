import type { NestExpressApplication } from '@nestjs/platform-express';
import { bootstrap, type Welcome } from './cli/index.js';
import type { JsonLogger } from './common/logger.js';
import { type Config, ConfigError } from './config/index.js';
import { PATIENCE_WITH_SERVERS } from './database/index.js';
import { Jobs } from './jobs/index.js';
import type { OpenDatabase } from './open-database.js';
import { createService } from './service.js';
import { Lifecycle } from './system/index.js';

/**
 * How long a connection without a request is kept open, in ms: longer than balancers do, most of them a minute. Otherwise one
 * of theirs may be closed at the moment in which they send a request over it.
 */
const KEEP_ALIVE = 75_000;
/** How often connections without a request are closed then, in ms. */
const IDLE = 100;
/** How long requests under way are waited for once the port is closed, in ms. */
const LATE = 20_000;
/** After that long beyond the time for balancers a shutdown is no longer waited for, in ms. */
const PATIENCE = 25_000;

/** What a running service ends with. */
interface Served {
  config: Config;
  database: OpenDatabase;
  logger: JsonLogger;
}

/**
 * Starts the application on `database`, listens, and ends the process on SIGTERM and SIGINT.
 *
 * @param releasePort Lets go of a port that is held for it.
 * @throws ConfigError for a setting that cannot be used.
 */
export async function serve(
  config: Config,
  database: OpenDatabase,
  logger: JsonLogger,
  releasePort?: () => Promise<void>,
): Promise<void> {
  // the embedded engine is no further than its thread, and builds indexes in one go when it is brought to a new version
  const app = await createService(config, database.uri, logger, config.embedded ? {} : PATIENCE_WITH_SERVERS);
  const welcome = await bootstrap(app, config);
  stopOnSignals(app, { config, database, logger });
  app.getHttpServer().keepAliveTimeout = KEEP_ALIVE;
  await releasePort?.();
  await app.listen(config.PORT, config.HOST).catch((error: unknown) => {
    throw new ConfigError(`HOST and PORT cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  });
  print(config, welcome);
  // not before: what the jobs are is said when the application is initialized, and no request waits for them
  await app.get(Jobs, { strict: false }).start();
}

/** Ready no more, then no new connections, requests in flight answered, the database closed last. */
function stopOnSignals(app: NestExpressApplication, { config, database, logger }: Served): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    app.get(Lifecycle).drain();
    await new Promise((resolve) => setTimeout(resolve, config.SHUTDOWN_DELAY));
    // requests that were under way before leave their connections open, which would be waited for
    const idle = setInterval(() => {
      app.getHttpServer().closeIdleConnections();
    }, IDLE);
    // a caller that does not end its request holds nothing up
    const late = setTimeout(() => {
      app.getHttpServer().closeAllConnections();
    }, LATE);
    await app.close();
    clearInterval(idle);
    clearTimeout(late);
    await database.close();
  };
  const begin = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.log(`${signal}: shutting down`, 'Main');
    setTimeout(() => process.exit(1), config.SHUTDOWN_DELAY + PATIENCE).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(error);
        process.exit(1);
      },
    );
  };
  // not once: with nobody to hear a second one, which npm passes on as well, it would end the process at once
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
  void database.failed?.then((error) => {
    if (stopping) return;
    logger.fatal(`The embedded database ended by itself: ${error.message}`, 'Main');
    process.exit(1);
  });
}

/** Tells whoever started the service where it is and how to get in. */
function print(config: Config, { notes }: Welcome): void {
  const lines = [
    '',
    `  Colophon is ready   ${config.PUBLIC_URL}/v1`,
    `  Explore the API     ${config.PUBLIC_URL}/docs`,
    ...notes.map((note) => `  ${note}`),
    '',
    '',
  ];
  process.stdout.write(lines.join('\n'));
}
