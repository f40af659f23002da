import type { Command } from 'commander';
import type { Shell } from '../shell.js';

/** `secrets rotate`: encrypts anew what the key before the present one has encrypted. */
export function addSecretsCommand(program: Command, { run, say, fail }: Shell): void {
  const secrets = program.command('secrets').description('what is stored encrypted');
  secrets
    .command('rotate')
    .description(
      'encrypt with SECRET_KEY what SECRET_KEY_FORMER has encrypted; exits with 1 when neither opens something',
    )
    .action(async () => {
      await run(async (app) => {
        const { SealedRecords } = await import('../../database/index.js');
        let lost = 0;
        for (const [name, reseal] of app.get(SealedRecords, { strict: false }).entries()) {
          const done = await reseal();
          say(`${name}: ${String(done.resealed)} encrypted anew${done.lost.length === 0 ? '' : ', lost:'}`);
          for (const id of done.lost) say(`  ${id}`);
          lost += done.lost.length;
        }
        say(
          lost === 0
            ? 'Everything is encrypted with SECRET_KEY; SECRET_KEY_FORMER is needed no more.'
            : `${String(lost)} cannot be opened with SECRET_KEY or SECRET_KEY_FORMER.`,
        );
        if (lost > 0) fail();
      });
    });
}
