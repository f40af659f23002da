import { type Command, InvalidArgumentError } from 'commander';
import { randomText } from '../../common/ids.js';
import { type Role, ROLES } from '../../common/roles.js';
import { isEmail, isStorable, lengthOf } from '../../common/validation.js';
import { personOf } from '../person.js';
import type { Shell } from '../shell.js';

interface CreateOptions {
  name?: string;
  password?: string;
  organization?: string;
  role: Role | 'guest';
}

/** `user create`: makes a person, and a member where an organization is named. `user password`: gives somebody a new password. */
export function addUserCommand(program: Command, { run, say }: Shell): void {
  const user = program.command('user').description('people');
  user
    .command('create')
    .description('make a person who can sign in')
    .argument('<email>', 'address to sign in with', readEmail)
    .option('--name <name>', 'name that others see (default: the address before the @)', readName)
    .option('--password <password>', 'password, 8 to 128 characters (default: one is made and shown)', readPassword)
    .option('--organization <id>', 'organization to make them a member of')
    .option('--role <role>', `${ROLES.join(', ')} or guest`, readRole, 'read')
    .action(async (email: string, options: CreateOptions) => {
      await run(
        async (app) => {
          const { MembersService, OrganizationsService } = await import('../../organizations/index.js');
          const { UsersService } = await import('../../users/index.js');
          const { Database } = await import('../../database/index.js');
          const { name, password = randomText(16), organization, role } = options;
          const home =
            organization === undefined
              ? undefined
              : await app.get(OrganizationsService, { strict: false }).get(organization);
          const displayName = name ?? email.split('@')[0] ?? email;
          // a member as well or nobody: who is there already cannot be made again
          const made = await app.get(Database, { strict: false }).transaction(async () => {
            const one = await app.get(UsersService, { strict: false }).create({ email, displayName, password });
            if (home) {
              await app.get(MembersService, { strict: false }).add(home._id, one._id, role === 'guest' ? null : role);
            }
            return one;
          });
          say(`User      ${made._id}  ${made.email}`);
          if (options.password === undefined) say(`Password  ${password}`);
          if (home) say(`Member    ${home.title} (${role})`);
        },
        { begin: true },
      );
    });
  user
    .command('password')
    .description('give somebody a new password, for who has none or has lost it; it ends their sign-ins')
    .argument('<email>', 'address to sign in with')
    .option('--password <password>', 'password, 8 to 128 characters (default: one is made and shown)', readPassword)
    .action(async (email: string, options: { password?: string }) => {
      await run(async (app) => {
        const { UsersService } = await import('../../users/index.js');
        const { TokensService } = await import('../../auth/index.js');
        const { Database } = await import('../../database/index.js');
        const { password = randomText(16) } = options;
        const found = await personOf(app, email);
        const users = app.get(UsersService, { strict: false });
        const passwordHash = await users.hash(password);
        // who knew the former one is not to stay
        const ended = await app.get(Database, { strict: false }).transaction(async () => {
          await users.setPassword(found._id, passwordHash);
          return app.get(TokensService, { strict: false }).endAll(found._id, 'session');
        });
        say(`User      ${found._id}  ${found.email}`);
        if (options.password === undefined) say(`Password  ${password}`);
        say(`Sign-ins  ${String(ended)} ended`);
      });
    });
}

function readEmail(text: string): string {
  if (!isEmail(text)) throw new InvalidArgumentError('It must be an e-mail address.');
  return text;
}

function readName(text: string): string {
  if (lengthOf(text) < 1 || lengthOf(text) > 64 || !isStorable(text))
    throw new InvalidArgumentError('It must be 1 to 64 characters long.');
  return text;
}

function readPassword(text: string): string {
  if (lengthOf(text) < 8 || lengthOf(text) > 128)
    throw new InvalidArgumentError('It must be 8 to 128 characters long.');
  return text;
}

function readRole(text: string): Role | 'guest' {
  const role = [...ROLES, 'guest' as const].find((one) => one === text);
  if (!role) throw new InvalidArgumentError(`It must be one of ${ROLES.join(', ')}, guest.`);
  return role;
}
