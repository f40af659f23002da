import { ConfigError, loadConfig } from './config/index.js';
import { runEngine } from './database/index.js';

/**
 * The embedded database as a process of its own, for any number of services (`npm run database`). It listens on the loopback
 * address only, as it knows no users.
 */
async function main(): Promise<void> {
  // the address of a database in the environment is that of this one, for the services
  const config = loadConfig({ ...process.env, MONGODB_URI: '' });
  const { DATABASE_PORT: port, DATABASE_MAX_BYTES: maxBytes } = config;
  const engine = await runEngine(config.DATA_DIR, { port, maxBytes }).catch((error: unknown) => {
    throw new ConfigError(codeOf(error) === 'EADDRINUSE' ? takenPort(port) : `DATA_DIR cannot be used: ${text(error)}`);
  });
  const stop = (): void => {
    engine.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        fail(`The database has not stopped as it should: ${text(error)}`);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`The database is ready at ${engine.uri}\n`);
}

const takenPort = (port: number): string =>
  `DATABASE_PORT cannot be used: port ${String(port)} is taken by another process`;

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

main().catch((error: unknown) => {
  const stack = error instanceof Error && !(error instanceof ConfigError) ? error.stack : undefined;
  fail(`The database cannot start: ${stack ?? text(error)}`);
});
