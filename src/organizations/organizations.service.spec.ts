import { ConflictException, NotFoundException } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { ConfigModule, loadConfig } from '../config/index.js';
import { UsersModule, UsersService } from '../users/index.js';
import { MembersService, OrganizationsModule, OrganizationsService } from './index.js';
import type { Hostname } from './organization.schema.js';

const config = ConfigModule.of(loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' }));

let test: TestDatabase;
let connection: Connection;
let organizations: OrganizationsService;
let members: MembersService;
let users: UsersService;
let people = 0;

beforeAll(async () => {
  test = await startTestDatabase();
  const app = await test.boot(config, UsersModule, OrganizationsModule);
  organizations = app.get(OrganizationsService, { strict: false });
  members = app.get(MembersService, { strict: false });
  users = app.get(UsersService, { strict: false });
  connection = app.get(getConnectionToken());
});

afterAll(() => test.stop());

async function newUser(email = `p${++people}@example.org`): Promise<string> {
  return (await users.create({ email, displayName: 'Somebody' }))._id;
}

const hostnamesOf = async (organization: string): Promise<string[]> =>
  (await connection.collection<Hostname>('hostnames').find({ organization }).toArray()).map(({ _id }) => _id).sort();

describe('making an organization', () => {
  it('makes who asks its administrator', async () => {
    const user = await newUser();
    const made = await organizations.create(user, { title: 'Öffentliche Hand', emailDomains: ['example.org'] });
    expect(made).toMatchObject({
      title: 'Öffentliche Hand',
      hostname: 'offentliche-hand',
      emailDomains: ['example.org'],
      type: 'business',
      useCase: null,
      defaultRole: 'read',
      version: 1,
    });
    expect(await organizations.get(made._id)).toEqual(made);
    expect(await members.find(made._id, user)).toMatchObject({ role: 'admin', disabled: false, teams: [] });
    expect(await hostnamesOf(made._id)).toEqual(['offentliche-hand']);
  });

  it.each([
    ['ab', 'ab-docs'],
    ['a b', 'a-b'],
    ['日本語のドキュメント', 'page'],
    ['x'.repeat(40), 'x'.repeat(32)],
    [`${'y'.repeat(31)} z`, 'y'.repeat(31)],
    ['__proto__', 'proto'],
  ])('derives from %j the hostname %s', async (title, hostname) => {
    expect((await organizations.create(await newUser(), { title })).hostname).toBe(hostname);
  });

  it.each([
    ['Acme', ['acme', 'acme-2', 'acme-3']],
    ['w'.repeat(50), ['w'.repeat(32), `${'w'.repeat(30)}-2`, `${'w'.repeat(30)}-3`]],
    [`${'v'.repeat(29)} ${'v'.repeat(20)}`, [`${'v'.repeat(29)}-vv`, `${'v'.repeat(29)}-2`, `${'v'.repeat(29)}-3`]],
    ['q', ['q-docs', 'q-docs-2', 'q-docs-3']],
  ])('numbers the hostname when it is taken: %s', async (title, hostnames) => {
    const user = await newUser();
    const made: string[] = [];
    for (const _ of hostnames) made.push((await organizations.create(user, { title })).hostname);
    expect(made).toEqual(hostnames);
    for (const hostname of made) expect(hostname).toMatch(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/);
  });

  it('gives each of many that are made at once a hostname of its own', async () => {
    const user = await newUser();
    const made = await Promise.all(Array.from({ length: 6 }, () => organizations.create(user, { title: 'At once' })));
    expect(made.map(({ hostname }) => hostname).sort()).toEqual([
      'at-once',
      'at-once-2',
      'at-once-3',
      'at-once-4',
      'at-once-5',
      'at-once-6',
    ]);
    const counts = ['organizations', 'hostnames'].map((name) =>
      connection
        .collection<{ _id: string }>(name)
        .countDocuments({ $or: [{ _id: /^at-once/ }, { hostname: /^at-once/ }] }),
    );
    expect(await Promise.all(counts)).toEqual([6, 6]);
  });

  it('goes on when very many have the title already', async () => {
    const taken = ['busy', ...Array.from({ length: 150 }, (_, index) => `busy-${index + 2}`)];
    await connection
      .collection<Hostname>('hostnames')
      .insertMany(taken.map((_id) => ({ _id, organization: 'other', createdAt: new Date() })));
    const { hostname } = await organizations.create(await newUser(), { title: 'Busy' });
    expect(hostname).toMatch(/^busy-[a-z0-9]{1,26}[a-z0-9]$/);
    expect(taken).not.toContain(hostname);
  });
});

describe('changing an organization', () => {
  it('changes what is named, and raises its version', async () => {
    const made = await organizations.create(await newUser(), { title: 'Changing' });
    const changed = await organizations.update(made, { title: 'Changed', logo: 'https://example.org/l.png' });
    expect(changed).toEqual({
      ...made,
      title: 'Changed',
      logo: 'https://example.org/l.png',
      version: 2,
      updatedAt: changed.updatedAt,
    });
    expect(await organizations.update(changed, {})).toBe(changed);
    expect(await organizations.get(made._id)).toEqual(changed);
  });

  it('takes a new hostname and keeps the former ones', async () => {
    const made = await organizations.create(await newUser(), { title: 'Former name' });
    const renamed = await organizations.update(made, { hostname: 'newer-name' });
    expect(renamed.hostname).toBe('newer-name');
    expect((await organizations.update(renamed, { hostname: 'former-name' })).hostname).toBe('former-name');
    expect(await hostnamesOf(made._id)).toEqual(['former-name', 'newer-name']);
    expect((await organizations.create(await newUser(), { title: 'Newer name' })).hostname).toBe('newer-name-2');
  });

  it('refuses a hostname that another one holds or held, and changes nothing else then', async () => {
    const holder = await organizations.create(await newUser(), { title: 'Holder' });
    await organizations.update(holder, { hostname: 'holder-now' });
    const other = await organizations.create(await newUser(), { title: 'Other' });
    for (const hostname of ['holder', 'holder-now']) {
      const refused = organizations.update(other, { hostname, title: 'Not this' });
      await expect(refused).rejects.toBeInstanceOf(ConflictException);
      await expect(refused).rejects.toThrow(`hostname is taken: another organization holds "${hostname}"`);
    }
    expect(await organizations.get(other._id)).toEqual(other);
  });

  it('lets one of several win who take the same hostname at once', async () => {
    const all: Awaited<ReturnType<OrganizationsService['create']>>[] = [];
    for (const title of ['Race one', 'Race two', 'Race three']) {
      all.push(await organizations.create(await newUser(), { title }));
    }
    const ends = await Promise.allSettled(all.map((one) => organizations.update(one, { hostname: 'the-prize' })));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(ConflictException);
    expect(await connection.collection('organizations').countDocuments({ hostname: 'the-prize' })).toBe(1);
  });

  it('is seen at once in the settings of the process that changed them', async () => {
    const made = await organizations.create(await newUser(), { title: 'Settings' });
    expect((await organizations.settings(made._id)).defaultRole).toBe('read');
    await organizations.update(made, { defaultRole: null });
    expect((await organizations.settings(made._id)).defaultRole).toBeNull();
    await expect(organizations.settings('nothing')).rejects.toBeInstanceOf(NotFoundException);
  });
});

describe('finding organizations', () => {
  it('lists those somebody belongs to, newest first, with the membership', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const made = [
      await organizations.create(user, { title: 'List one' }),
      await organizations.create(other, { title: 'List two' }),
      await organizations.create(user, { title: 'List three' }),
    ];
    await members.add(made[1]?._id ?? '', user, null);
    const seen: [string, unknown][] = [];
    for (let page: string | undefined, more = true; more;) {
      const part = await organizations.listOf(user, { page, limit: 1 });
      expect(part.count).toBe(3);
      seen.push(...part.items.map(({ organization, member }): [string, unknown] => [organization.title, member?.role]));
      page = part.next?.page;
      more = page !== undefined;
    }
    expect(seen).toEqual([
      ['List three', 'admin'],
      ['List two', null],
      ['List one', 'admin'],
    ]);
    expect(await organizations.listOf(await newUser(), {})).toEqual({ items: [], count: 0 });
  });

  it('shows by domain the own ones, and the others to whoever proved to be of the domain', async () => {
    const user = await newUser('member@domain.test');
    const own = await organizations.create(user, { title: 'Own', emailDomains: ['domain.test'] });
    const other = await organizations.create(await newUser(), { title: 'Foreign', emailDomains: ['domain.test'] });
    const titles = async (domain: string): Promise<string[]> =>
      (await organizations.forEmailDomain(domain, user)).map(({ organization }) => organization.title);
    expect(await titles('domain.test')).toEqual(['Own']);
    await connection.collection<{ _id: string }>('users').updateOne({ _id: user }, { $set: { emailVerified: true } });
    expect(await titles('DOMAIN.test')).toEqual(['Foreign', 'Own']);
    expect(await titles('elsewhere.test')).toEqual([]);
    const found = await organizations.forEmailDomain('domain.test', user);
    expect(found.map(({ organization, member }) => [organization._id, member?.role])).toEqual([
      [other._id, undefined],
      [own._id, 'admin'],
    ]);
  });
});

describe('members', () => {
  const disable = (organization: string, user: string): Promise<unknown> =>
    connection.collection('members').updateOne({ organization, user }, { $set: { disabled: true } });

  it('are found while they are active', async () => {
    const { _id } = await organizations.create(await newUser(), { title: 'Members' });
    const user = await newUser();
    expect(await members.find(_id, user)).toBeNull();
    await members.add(_id, user, 'edit');
    expect(await members.find(_id, user)).toMatchObject({ organization: _id, user, role: 'edit' });
    await members.add(_id, user, 'admin');
    expect((await members.find(_id, user))?.role).toBe('edit');
    await disable(_id, user);
    expect(await members.find(_id, user)).toBeNull();
    expect(await members.organizationsOf(user)).toEqual(new Map());
  });

  it('are fellows of those in the same organization, unless they are guests there or gone', async () => {
    const admin = await newUser();
    const { _id } = await organizations.create(admin, { title: 'Fellows' });
    const [reader, guest, stranger] = [await newUser(), await newUser(), await newUser()];
    await members.add(_id, reader, 'read');
    await members.add(_id, guest, null);
    const fellows = (one: string, other: string): Promise<boolean> => members.areFellows(one, other);
    expect(await fellows(reader, admin)).toBe(true);
    expect(await fellows(reader, guest)).toBe(true);
    expect(await fellows(guest, reader)).toBe(false);
    expect(await fellows(guest, guest)).toBe(true);
    expect(await fellows(stranger, admin)).toBe(false);
    await disable(_id, reader);
    expect(await fellows(admin, reader)).toBe(false);
    expect(await fellows(reader, admin)).toBe(false);
  });
});
