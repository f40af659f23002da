import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { JsonLogger } from '../common/logger.js';
import type { Config } from '../config/index.js';
import { joinDatabase } from '../open-database.js';
import { prepareDatabase } from '../service.js';
import type { Runner } from './shell.js';

/** Runs `work` on the application's services, without routes and jobs, whether or not the service runs. */
export async function withServices(
  config: Config,
  ...[work, { prepare = true, begin = false } = {}]: Parameters<Runner>
): Promise<void> {
  const database = await joinDatabase(config, { begin });
  try {
    const app = await open(config, database.uri);
    try {
      if (prepare) await prepareDatabase(app, config);
      await work(app, config);
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
  }
}

function open(config: Config, databaseUri: string): Promise<INestApplicationContext> {
  const logger = new JsonLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL);
  return NestFactory.createApplicationContext(AppModule.of({ config, databaseUri }), { logger, abortOnError: false });
}
