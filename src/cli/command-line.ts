import { Command, CommanderError } from 'commander';
import { buildInfo } from '../common/build-info.js';
import { loadConfig } from '../config/index.js';
import { addBackupCommand } from './commands/backup.command.js';
import { addDemoCommand } from './commands/demo.command.js';
import { addDoctorCommand } from './commands/doctor.command.js';
import { addExportCommand } from './commands/export.command.js';
import { addImportCommand } from './commands/import.command.js';
import { addMigrateCommand } from './commands/migrate.command.js';
import { addRestoreCommand } from './commands/restore.command.js';
import { addSecretsCommand } from './commands/secrets.command.js';
import { addTokenCommand } from './commands/token.command.js';
import { addUserCommand } from './commands/user.command.js';
import type { Shell } from './shell.js';

/** Where the command line has its settings from, and what it writes to. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  out: (text: string) => void;
  err: (text: string) => void;
}

/** Runs the command that `args` name, and answers the status to end with: 0, or 1 when something is wrong. */
export async function runCommandLine(args: readonly string[], { environment, out, err }: Terminal): Promise<number> {
  let status = 0;
  const shell: Shell = {
    // the application is read only for a command that can run: help and mistakes are told at once
    run: async (...work) => {
      const config = loadConfig(environment);
      const { withServices } = await import('./services.js');
      await withServices(config, ...work);
    },
    say: (line) => {
      out(`${line}\n`);
    },
    fail: () => {
      status = 1;
    },
  };
  const program = new Command('colophon')
    .description('Administers this installation of Colophon. Works while the service runs and while it does not.')
    .version(buildInfo().version)
    .showHelpAfterError()
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride();
  for (const add of [
    addUserCommand,
    addTokenCommand,
    addDemoCommand,
    addImportCommand,
    addExportCommand,
    addBackupCommand,
    addRestoreCommand,
    addDoctorCommand,
    addMigrateCommand,
    addSecretsCommand,
  ]) {
    add(program, shell);
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    err(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
