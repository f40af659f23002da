import { Command, CommanderError } from 'commander';
import { buildInfo } from '../common/build-info.js';
import { loadConfig } from '../config/index.js';
import { addDemoCommand } from './commands/demo.command.js';
import { addDoctorCommand } from './commands/doctor.command.js';
import { addExportCommand } from './commands/export.command.js';
import { addImportCommand } from './commands/import.command.js';
import { addMigrateCommand } from './commands/migrate.command.js';
import { addSecretsCommand } from './commands/secrets.command.js';
import { addTokenCommand } from './commands/token.command.js';
import { addUserCommand } from './commands/user.command.js';
import type { Runner } from './runner.js';

/** Reads the application only for a command that can run: help and mistakes are told at once. */
const run: Runner = async (...work) => {
  const config = loadConfig(process.env);
  const { withServices } = await import('./services.js');
  await withServices(config, ...work);
};

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
    addSecretsCommand,
  ]) {
    add(program, run);
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
