import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Connection, ConnectOptions } from 'mongoose';
import { AppModule } from './app.module.js';
import { APP_OPTIONS, configureApp } from './app.setup.js';
import { type Config, ConfigError } from './config/index.js';
import { IndexSweep } from './content/index.js';
import { migrate, pendingMigrations } from './database/index.js';
import { WebhookDeliverer } from './webhooks/index.js';

/** The application with its routes, ready to listen; its database has the form that this code needs. */
export async function createService(
  config: Config,
  databaseUri: string,
  logger: LoggerService,
  connection: ConnectOptions = {},
): Promise<NestExpressApplication> {
  const options = { ...APP_OPTIONS, logger, abortOnError: false };
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.of({ config, databaseUri, connection }),
    options,
  ).catch((error: unknown) => {
    if (config.embedded || !(error instanceof Error) || !/^Mongo/.test(error.name)) throw error;
    throw new ConfigError(`MONGODB_URI cannot be used: ${error.message}`);
  });
  await prepareDatabase(app, config);
  configureApp(app);
  app.get(IndexSweep, { strict: false }).start();
  app.get(WebhookDeliverer, { strict: false }).start();
  return app;
}

/**
 * Brings the database to the form that this code needs where that is safe at a start: a new database, or the embedded
 * one, which no other process uses.
 *
 * @throws ConfigError naming the command to run, when a shared database would have to be changed, or was restored in part only.
 */
export async function prepareDatabase(app: INestApplicationContext, config: Config): Promise<void> {
  const connection = app.get<Connection>(getConnectionToken());
  const pending = await pendingMigrations(connection);
  if (pending.restoring) {
    throw new ConfigError(
      'A backup is being restored to the database, or was in part only: wait for it, or run "restore" again',
    );
  }
  if (pending.migrations.length === 0 && !pending.indexes) return;
  if (!config.embedded && !pending.fresh) {
    throw new ConfigError('The database has the form of another version: run "npm run migrate" once, then start again');
  }
  await migrate(connection);
}
