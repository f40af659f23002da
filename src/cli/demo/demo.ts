import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { TokensService } from '../../auth/index.js';
import { type Role, ROLES } from '../../common/roles.js';
import { ArchiveImporter } from '../../content/index.js';
import { MembersService, OrganizationsService } from '../../organizations/index.js';
import { SpacesService } from '../../spaces/index.js';
import { UsersService } from '../../users/index.js';
import { FolderSource } from '../folder-source.js';

/** The pages of the demonstration, beside this file. */
const BOOK = new URL('./book/', import.meta.url);

/** The people of the demonstration, one for each role. */
const PEOPLE: Record<Role | 'guest', string> = {
  admin: 'Ada Admin',
  create: 'Cleo Creator',
  review: 'Rene Reviewer',
  edit: 'Edith Editor',
  comment: 'Coco Commenter',
  read: 'Remy Reader',
  guest: 'Gus Guest',
};

/** What the demonstration made. */
export interface Demonstration {
  /** API token of its administrator. */
  token: string;
  organization: string;
  /** Ids of its spaces: one whose pages tell about the product, one that is empty. */
  spaces: { guide: string; empty: string };
}

/**
 * Makes an organization with a person of each role and a guest, a space of linked pages and an empty one. The
 * administrator's token is remembered in `dataDir`, for its owner alone to read, so that later starts can show it.
 */
export async function demonstrate(app: INestApplicationContext, dataDir: string): Promise<Demonstration> {
  const source = await FolderSource.open(BOOK);
  await mkdir(dataDir, { recursive: true });
  await writeFile(unfinishedFile(dataDir), 'The demonstration is being made.\n');
  const organizations = app.get(OrganizationsService, { strict: false });
  const spaces = app.get(SpacesService, { strict: false });
  const admin = await person(app, 'admin');
  const { _id: organization } = await organizations.create(admin, { title: 'Demonstration' });
  const members = app.get(MembersService, { strict: false });
  for (const role of [...ROLES, null]) {
    if (role !== 'admin') await members.add(organization, await person(app, role), role);
  }
  const guide = await spaces.create(organization, admin, { title: 'Colophon guide', emoji: '📘' });
  const empty = await spaces.create(organization, admin, { title: 'Scratchpad', emoji: '📝' });
  await app.get(ArchiveImporter, { strict: false }).importFolder(guide._id, { author: admin, source });
  const { token } = await app
    .get(TokensService, { strict: false })
    .issue({ user: admin, kind: 'api', label: 'demonstration' });
  await writeFile(tokenFile(dataDir), `${token}\n`, { mode: 0o600 });
  await rm(unfinishedFile(dataDir), { force: true });
  return { token, organization, spaces: { guide: guide._id, empty: empty._id } };
}

/** The demonstration's token, if it is remembered in `dataDir` and still good. */
export async function rememberedToken(app: INestApplicationContext, dataDir: string): Promise<string | undefined> {
  const token = await readFile(tokenFile(dataDir), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
  if (token === undefined) return undefined;
  return (await app.get(TokensService, { strict: false }).authenticate(token)) ? token : undefined;
}

/** Makes the person of the demonstration who gets `role`; nobody can sign in as them. */
async function person(app: INestApplicationContext, role: Role | null): Promise<string> {
  const name = role ?? 'guest';
  const users = app.get(UsersService, { strict: false });
  const email = `${name}@demo.example`;
  const known = await users.findByEmail(email);
  return (known ?? (await users.create({ email, displayName: PEOPLE[name] })))._id;
}

/** Whether a start was ended while it made the demonstration: then it is made anew. */
export async function isUnfinished(dataDir: string): Promise<boolean> {
  return readFile(unfinishedFile(dataDir)).then(
    () => true,
    () => false,
  );
}

const unfinishedFile = (dataDir: string): string => join(dataDir, 'demonstration-unfinished');
const tokenFile = (dataDir: string): string => join(dataDir, 'demonstration-token');
