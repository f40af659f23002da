import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { Connection } from 'mongoose';
import type { SecretKey } from '../../config/index.js';
import type { BackupHead } from '../../database/index.js';
import type { Shell } from '../shell.js';

/** `restore`: writes what `backup` has written to an empty database, or one organization to one that others use. */
export function addRestoreCommand(program: Command, { run, say }: Shell): void {
  program
    .command('restore')
    .description(
      'write a backup to an empty database, on which no service may run; that of one organization to an installation in use',
    )
    .argument('<file>', 'what "backup" has written')
    .action(async (file: string) => {
      const path = resolve(file);
      const { checkBackup, restore } = await import('../../database/index.js');
      const { head, records } = await checkBackup(path);
      if (head.organization !== undefined) {
        await run((app) => restoreOne(app, path, head, say), { begin: true });
        return;
      }
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
        { prepare: false, begin: true },
      );
    });
}

/** Restores the organization of a backup beside those that are there. */
async function restoreOne(
  app: INestApplicationContext,
  path: string,
  head: BackupHead,
  say: Shell['say'],
): Promise<void> {
  const { getConnectionToken } = await import('@nestjs/mongoose');
  const { OrganizationRecords, Restorations, restoreOrganization, SealedRecords } =
    await import('../../database/index.js');
  const target = {
    connection: app.get<Connection>(getConnectionToken(), { strict: false }),
    records: app.get(OrganizationRecords, { strict: false }),
    sealed: app.get(SealedRecords, { strict: false }),
    restorations: app.get(Restorations, { strict: false }),
  };
  const { records, people, left, lost } = await restoreOrganization(target, path, head);
  const { organization = '', at, version } = head;
  say(
    `Restored the organization ${organization}: ${String(records)} records of ${at.toISOString()}, version ${version}`,
  );
  say(`People: ${String(people.known)} with an account here, which stays as it is; ${String(people.made)} new`);
  if (people.made > 0) say('Who is new has no password: they use single sign-on, or "user password" gives them one.');
  for (const what of left) say(`Left out: ${what} is taken`);
  if (lost.length > 0) {
    say(
      'WARNING: this cannot be read with the present keys. Run "secrets rotate" with the SECRET_KEY of the installation',
    );
    say('that wrote the backup as SECRET_KEY_FORMER:');
    for (const what of lost) say(`  ${what}`);
  }
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
