import type { Command } from 'commander';
import type { Connection } from 'mongoose';
import type { Shell } from '../shell.js';

/** `migrate`: brings the database to the form of this version. */
export function addMigrateCommand(program: Command, { run, say }: Shell): void {
  program
    .command('migrate')
    .description('bring the database to the form that this version needs; doing it again changes nothing')
    .action(async () => {
      await run(
        async (app) => {
          const { getConnectionToken } = await import('@nestjs/mongoose');
          const { migrate } = await import('../../database/index.js');
          const done = await migrate(app.get<Connection>(getConnectionToken(), { strict: false }));
          say(done.length > 0 ? `Done: ${done.join(', ')}` : 'Nothing to do');
        },
        { prepare: false, begin: true },
      );
    });
}
