import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Connection } from 'mongoose';
import type { SecretKey } from '../../config/index.js';
import type { Shell } from '../shell.js';

/** `restore`: writes what `backup` has written to an empty database. */
export function addRestoreCommand(program: Command, { run, say }: Shell): void {
  program
    .command('restore')
    .description('write a backup to an empty database; no service may run on it')
    .argument('<file>', 'what "backup" has written')
    .action(async (file: string) => {
      const path = resolve(file);
      const { checkBackup, restore } = await import('../../database/index.js');
      const { head, records } = await checkBackup(path);
      await run(
        async (app) => {
          const { getConnectionToken } = await import('@nestjs/mongoose');
          const { SecretKey } = await import('../../config/index.js');
          const done = await restore(app.get<Connection>(getConnectionToken(), { strict: false }), path, head);
          say(`Restored ${String(records)} records of ${head.at.toISOString()}, version ${head.version}`);
          if (done.length > 0) say(`Done: ${done.join(', ')}`);
          for (const line of keyAdvice(app.get(SecretKey, { strict: false }), head.key)) say(line);
          say('Run "doctor" before you start the service.');
        },
        { prepare: false },
      );
    });
}

/** What is to be done where the secrets of a backup were encrypted with another key than the present one. */
function keyAdvice(present: SecretKey, fingerprint: string): string[] {
  if (present.fingerprint === fingerprint) return [];
  if (present.former?.fingerprint === fingerprint) {
    return ['What is encrypted in it needs SECRET_KEY_FORMER: run "secrets rotate".'];
  }
  return [
    'WARNING: what is encrypted in it cannot be read with this SECRET_KEY. Start with the key of the installation that wrote the',
    'backup as SECRET_KEY, or as SECRET_KEY_FORMER and run "secrets rotate".',
  ];
}
