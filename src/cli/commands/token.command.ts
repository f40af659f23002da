import { type Command, InvalidArgumentError } from 'commander';
import { isStorable, lengthOf } from '../../common/validation.js';
import { personOf } from '../person.js';
import type { Shell } from '../shell.js';

interface RevokeOptions {
  all?: true;
}

/** API tokens of anybody: `token create` makes one, `token list` shows them, `token revoke` ends them. */
export function addTokenCommand(program: Command, shell: Shell): void {
  const token = program.command('token').description('API tokens');
  addCreate(token, shell);
  addList(token, shell);
  addRevoke(token, shell);
}

function addCreate(token: Command, { run, say }: Shell): void {
  token
    .command('create')
    .description('make an API token; it is shown this once')
    .argument('<email>', 'address of the person who acts with it')
    .option('--label <label>', 'what it is for, 1 to 50 characters', readLabel, 'made by hand')
    .option('--days <days>', 'days until it expires (default: never)', readDays)
    .action(async (email: string, { label, days }: { label: string; days?: number }) => {
      await run(async (app) => {
        const { TokensService } = await import('../../auth/index.js');
        const user = await personOf(app, email);
        const expiresAt = days === undefined ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1000);
        const tokens = app.get(TokensService, { strict: false });
        const made = await tokens.issue({ user: user._id, kind: 'api', label, expiresAt });
        say(made.token);
      });
    });
}

function addList(token: Command, { run, say }: Shell): void {
  token
    .command('list')
    .description('list the API tokens of somebody, newest first: id, day made, day of expiry, label')
    .argument('<email>', 'address of the person who acts with them')
    .action(async (email: string) => {
      await run(async (app) => {
        const { TokensService } = await import('../../auth/index.js');
        const user = await personOf(app, email);
        const tokens = app.get(TokensService, { strict: false });
        let page: string | undefined;
        do {
          const part = await tokens.list(user._id, { limit: 100, ...(page !== undefined && { page }) });
          for (const { _id, createdAt, expiresAt, label } of part.items) {
            say(`${_id}  ${dayOf(createdAt)}  ${expiresAt ? dayOf(expiresAt) : 'never     '}  ${label}`);
          }
          page = part.next?.page;
        } while (page !== undefined);
      });
    });
}

function addRevoke(token: Command, { run, say }: Shell): void {
  token
    .command('revoke')
    .description('end an API token of somebody, or all that they are signed in with; it is refused from then on')
    .argument('<email>', 'address of the person who acts with it')
    .argument('[token]', 'id of the token, which "token list" shows')
    .option('--all', 'end all API tokens and all sign-ins of this person')
    .action(async (email: string, id: string | undefined, { all }: RevokeOptions) => {
      if ((id === undefined) === (all === undefined)) {
        throw new Error('Name one token, as "token list" shows it, or end all tokens and sign-ins with --all');
      }
      await run(async (app) => {
        const { TokensService } = await import('../../auth/index.js');
        const user = await personOf(app, email);
        const tokens = app.get(TokensService, { strict: false });
        if (id === undefined) {
          const { Database } = await import('../../database/index.js');
          const [own, signIns] = await app
            .get(Database, { strict: false })
            .transaction(async () => [await tokens.endAll(user._id, 'api'), await tokens.endAll(user._id, 'session')]);
          say(`Tokens    ${String(own)} ended`);
          say(`Sign-ins  ${String(signIns)} ended`);
        } else {
          await tokens.revoke(user._id, id);
          say(`Token     ${id} ended`);
        }
      });
    });
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

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
