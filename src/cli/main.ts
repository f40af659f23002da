import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import { AppModule } from '../app.module.js';
import { buildInfo } from '../common/build-info.js';
import { JsonLogger } from '../common/logger.js';
import { type Config, loadConfig } from '../config/index.js';
import { joinDatabase, prepareDatabase } from '../service.js';
import { addDemoCommand } from './commands/demo.command.js';
import { addDoctorCommand } from './commands/doctor.command.js';
import { addExportCommand } from './commands/export.command.js';
import { addImportCommand } from './commands/import.command.js';
import { addMigrateCommand } from './commands/migrate.command.js';
import { addTokenCommand } from './commands/token.command.js';
import { addUserCommand } from './commands/user.command.js';
import type { Runner } from './runner.js';

/** Runs `work` on the application's services, without routes and jobs, whether or not the service runs. */
const withServices: Runner = async (work, { prepare = true } = {}) => {
  const config = loadConfig(process.env);
  const database = await joinDatabase(config);
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
};

function open(config: Config, databaseUri: string): Promise<INestApplicationContext> {
  const logger = new JsonLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL);
  return NestFactory.createApplicationContext(AppModule.of({ config, databaseUri }), { logger, abortOnError: false });
}

async function main(): Promise<void> {
  const program = new Command('colophon')
    .description('Administers this installation of Colophon. Works while the service runs and while it does not.')
    .version(buildInfo().version)
    .showHelpAfterError()
    .exitOverride();
  for (const add of [
    addUserCommand,
    addTokenCommand,
    addDemoCommand,
    addImportCommand,
    addExportCommand,
    addDoctorCommand,
    addMigrateCommand,
  ]) {
    add(program, withServices);
  }
  await program.parseAsync();
}

main().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode;
    return;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
