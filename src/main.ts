import { createServer } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { JsonLogger } from './common/logger.js';
import { bootstrap, type Welcome } from './cli/index.js';
import { type Config, ConfigError, loadConfig } from './config/index.js';
import { Jobs } from './jobs/index.js';
import { createService, type OpenDatabase, openDatabase } from './service.js';
import { Lifecycle } from './system/index.js';

/** How long readiness fails before the port is closed, in ms, so that balancers look elsewhere first. */
const DRAIN = 500;
/** How often connections without a request are closed then, in ms. */
const IDLE = 100;
/** How long requests under way are waited for, in ms. */
const LATE = 20_000;
/** After that long a shutdown is no longer waited for, in ms. */
const PATIENCE = 25_000;

async function main(): Promise<void> {
  const config = loadConfig({ ...process.env, PORT: await portOf(process.env.PORT) });
  const logger = new JsonLogger(config.LOG_LEVEL);
  const database = await openDatabase(config, (message) => {
    logger.log(message, 'Engine');
  });
  try {
    const app = await createService(config, database.uri, logger);
    const welcome = await bootstrap(app, config);
    stopOnSignals(app, database, logger);
    await app.listen(config.PORT, config.HOST).catch((error: unknown) => {
      throw new ConfigError(`HOST and PORT cannot be used: ${messageOf(error)}`);
    });
    // not before: what the jobs are is said when the application is initialized
    await app.get(Jobs, { strict: false }).start();
    print(config, welcome);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** `PORT=0` means any free port; it must be known before the addresses in answers are made. */
async function portOf(wanted: string | undefined): Promise<string | undefined> {
  if (wanted?.trim() !== '0') return wanted;
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address ? String(address.port) : wanted);
      });
    });
  });
}

/** Ready no more, then no new connections, requests in flight answered, the database closed last. */
function stopOnSignals(app: NestExpressApplication, database: OpenDatabase, logger: JsonLogger): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    app.get(Lifecycle).drain();
    await new Promise((resolve) => setTimeout(resolve, DRAIN));
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
    setTimeout(() => process.exit(1), PATIENCE).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', begin);
  process.once('SIGINT', begin);
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

main().catch((error: unknown) => {
  // what the operator can put right is told in a sentence; whatever else stops the start comes with its stack
  const stack = error instanceof Error && !(error instanceof ConfigError) ? error.stack : undefined;
  process.stderr.write(`Colophon cannot start: ${stack ?? messageOf(error)}\n`);
  process.exit(1);
});
