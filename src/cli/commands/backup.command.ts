import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Connection } from 'mongoose';
import { buildInfo } from '../../common/build-info.js';
import type { Shell } from '../shell.js';

/** `backup`: writes everything that is stored, as it is at one moment, to a file. */
export function addBackupCommand(program: Command, { run, say }: Shell): void {
  program
    .command('backup')
    .description('write everything that is stored to a file, as of one moment, while the service runs')
    .argument('<file>', 'a new file')
    .action(async (file: string) => {
      const path = resolve(file);
      await run(async (app) => {
        const { getConnectionToken } = await import('@nestjs/mongoose');
        const { SecretKey } = await import('../../config/index.js');
        const { backupOf, writeBackup } = await import('../../database/index.js');
        const connection = app.get<Connection>(getConnectionToken(), { strict: false });
        if (!connection.db) throw new Error('The database is not connected');
        const key = app.get(SecretKey, { strict: false }).fingerprint;
        const origin = { version: buildInfo().version, key };
        const { records } = await writeBackup(path, backupOf(connection.getClient(), connection.db, origin));
        const { size } = await stat(path);
        say(`Wrote ${String(records)} records to ${path}, ${String(size)} bytes`);
        say('Keep the secret key as well, at another place: it is not in the file.');
      });
    });
}
