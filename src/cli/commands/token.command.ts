import { type Command, InvalidArgumentError } from 'commander';
import { isStorable, lengthOf } from '../../common/validation.js';
import type { Shell } from '../shell.js';

/** `token create`: makes an API token for somebody, for the first access or a lost one. */
export function addTokenCommand(program: Command, { run, say }: Shell): void {
  const token = program.command('token').description('API tokens');
  token
    .command('create')
    .description('make an API token; it is shown this once')
    .argument('<email>', 'address of the person who acts with it')
    .option('--label <label>', 'what it is for, 1 to 50 characters', readLabel, 'made by hand')
    .option('--days <days>', 'days until it expires (default: never)', readDays)
    .action(async (email: string, { label, days }: { label: string; days?: number }) => {
      await run(async (app) => {
        const { TokensService } = await import('../../auth/index.js');
        const { UsersService } = await import('../../users/index.js');
        const user = await app.get(UsersService, { strict: false }).findByEmail(email);
        if (!user) throw new Error(`There is nobody with the address ${email}: make them with "user create"`);
        if (user.placeholder) throw new Error(`${email} was invited and has not come yet: nobody can act as them`);
        const expiresAt = days === undefined ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1000);
        const tokens = app.get(TokensService, { strict: false });
        const made = await tokens.issue({ user: user._id, kind: 'api', label, expiresAt });
        say(made.token);
      });
    });
}

function readLabel(text: string): string {
  if (lengthOf(text) < 1 || lengthOf(text) > 50 || !isStorable(text))
    throw new InvalidArgumentError('It must be 1 to 50 characters long.');
  return text;
}

function readDays(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('It must be a whole number of days.');
  return Number(text);
}
