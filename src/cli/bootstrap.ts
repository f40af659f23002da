import { ConflictException, type INestApplicationContext } from '@nestjs/common';
import { TokensService } from '../auth/index.js';
import type { Config } from '../config/index.js';
import { Database } from '../database/index.js';
import { OrganizationsService } from '../organizations/index.js';
import { UsersService } from '../users/index.js';
import { demonstrate, isUnfinished, rememberedToken } from './demo/demo.js';

/** What a start tells whoever watches it. */
export interface Welcome {
  /** Lines to print. */
  notes: string[];
}

/**
 * Gives an empty service somebody who can use it: the administrator, organization and token that the BOOTSTRAP_
 * variables name, or on the embedded default the demonstration. A service that has people is left alone.
 */
export async function bootstrap(app: INestApplicationContext, config: Config): Promise<Welcome> {
  const empty = await app.get(UsersService, { strict: false }).isEmpty();
  if (empty && config.BOOTSTRAP_ADMIN_EMAIL !== undefined)
    return makeAdministrator(app, config, config.BOOTSTRAP_ADMIN_EMAIL);
  if (config.embedded && (empty || (await isUnfinished(config.DATA_DIR)))) {
    const { token, spaces } = await demonstrate(app, config.DATA_DIR);
    return { notes: [`Token to use it with  ${token}`, `Demonstration space   ${spaces.guide}`] };
  }
  const token = config.embedded ? await rememberedToken(app, config.DATA_DIR) : undefined;
  if (token !== undefined) return { notes: [`Token to use it with  ${token}`] };
  return {
    notes: empty ? ['Nobody can sign in yet: set BOOTSTRAP_ADMIN_EMAIL, or run "npm run cli -- user create"'] : [],
  };
}

/** In one transaction: a start that is killed in the midst of it leaves nobody, and the next one begins anew. */
async function makeAdministrator(app: INestApplicationContext, config: Config, email: string): Promise<Welcome> {
  const displayName = (email.split('@')[0] ?? email).slice(0, 64);
  const title = config.BOOTSTRAP_ORGANIZATION ?? 'My organization';
  const secret = config.BOOTSTRAP_ADMIN_TOKEN;
  const make = async (): Promise<string> => {
    const user = await app.get(UsersService, { strict: false }).create({ email, displayName });
    await app.get(OrganizationsService, { strict: false }).create(user._id, { title });
    const tokens = app.get(TokensService, { strict: false });
    return (await tokens.issue({ user: user._id, kind: 'api', label: 'first token', secret })).token;
  };
  const token = await app
    .get(Database, { strict: false })
    .transaction(make)
    .catch((error: unknown) => {
      // another process that starts at the same moment was first
      if (error instanceof ConflictException) return null;
      throw error;
    });
  if (token === null) return { notes: [] };
  const shown = secret === undefined ? token : 'the one in BOOTSTRAP_ADMIN_TOKEN';
  return { notes: [`Administrator         ${email}`, `Token                 ${shown}`] };
}
