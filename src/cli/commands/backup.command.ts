import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { Connection } from 'mongoose';
import { buildInfo } from '../../common/build-info.js';
import type { Shell } from '../shell.js';

/** `backup`: writes everything that is stored, or all of one organization, as it is at one moment, to a file. */
export function addBackupCommand(program: Command, { run, say }: Shell): void {
  program
    .command('backup')
    .description('write everything that is stored to a file, as of one moment, while the service runs')
    .argument('<file>', 'a new file')
    .option('--organization <id>', 'only this organization, for another installation')
    .action(async (file: string, { organization }: { organization?: string }) => {
      const path = resolve(file);
      await run(async (app) => {
        const { backupOf, writeBackup } = await import('../../database/index.js');
        const { client, db, origin } = await sourceOf(app);
        const left: string[] = [];
        const frames =
          organization === undefined ? backupOf(client, db, origin) : await partOf(app, organization, left);
        const { records } = await writeBackup(path, frames);
        const { size } = await stat(path);
        say(`Wrote ${String(records)} records to ${path}, ${String(size)} bytes`);
        for (const line of left) say(line);
        say(
          organization === undefined
            ? 'Keep the secret key as well, at another place: it is not in the file.'
            : 'Restore it with the SECRET_KEY of this installation as SECRET_KEY_FORMER, or what is encrypted cannot be read.',
        );
      });
    });
}

/** What is read of the database that `app` works on. */
async function sourceOf(app: INestApplicationContext) {
  const { getConnectionToken } = await import('@nestjs/mongoose');
  const { SecretKey } = await import('../../config/index.js');
  const connection = app.get<Connection>(getConnectionToken(), { strict: false });
  if (!connection.db) throw new Error('The database is not connected');
  const key = app.get(SecretKey, { strict: false }).fingerprint;
  return { client: connection.getClient(), db: connection.db, origin: { version: buildInfo().version, key } };
}

/** What belongs to `organization`; a line for each record that stays behind is added to `left`. */
async function partOf(app: INestApplicationContext, organization: string, left: string[]) {
  const { backupOfOrganization, OrganizationRecords } = await import('../../database/index.js');
  const records = app.get(OrganizationRecords, { strict: false });
  return backupOfOrganization({ ...(await sourceOf(app)), records }, organization, (collection, id) => {
    left.push(`Left out: ${collection} ${id}, which needs what belongs to another organization`);
  });
}
