import { BadRequestException, NotFoundException } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { ConfigModule, loadConfig } from '../config/index.js';
import type { Member } from '../organizations/index.js';
import { MembersService } from '../organizations/index.js';
import { RevisionsService } from '../revisions/index.js';
import { SpacesModule, SpacesService } from './index.js';
import type { Space } from './space.schema.js';
import { TRASH_PERIOD } from './spaces.service.js';

const config = ConfigModule.of(loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' }));

let test: TestDatabase;
let connection: Connection;
let spaces: SpacesService;
let members: MembersService;
let revisions: RevisionsService;
let organizations = 0;

beforeAll(async () => {
  test = await startTestDatabase();
  const app = await test.boot(config, SpacesModule);
  spaces = app.get(SpacesService);
  members = app.get(MembersService, { strict: false });
  revisions = app.get(RevisionsService, { strict: false });
  connection = app.get(getConnectionToken());
});

afterAll(() => test.stop());

const newOrganization = (): string => `org${++organizations}`;
const newSpace = (organization = newOrganization(), title = 'Handbook'): Promise<Space> =>
  spaces.create(organization, 'ann', { title });

const set = (space: Space, fields: Partial<Space>): Promise<unknown> =>
  connection.collection<Space>('spaces').updateOne({ _id: space._id }, { $set: fields });

async function memberOf(organization: string, user: string, role: Member['role'] = 'read'): Promise<Member> {
  await members.add(organization, user, role);
  const member = await members.find(organization, user);
  if (!member) throw new Error('there is no member');
  return member;
}

describe('making a space', () => {
  it('gives it an empty revision, and its maker an entry', async () => {
    const made = await newSpace('maker');
    expect(made).toMatchObject({
      organization: 'maker',
      title: 'Handbook',
      editMode: 'live',
      defaultLevel: 'inherit',
      users: [{ subject: 'ann', role: 'admin' }],
      indexing: false,
      indexedRevision: made.revision,
      deletedAt: null,
      version: 1,
    });
    expect(await spaces.get(made._id)).toEqual(made);
    expect(await revisions.get(made.revision)).toMatchObject({ space: made._id, parents: [], author: 'ann' });
  });

  it('calls it Untitled, and stands it in no collection that is not there', async () => {
    expect((await spaces.create('o', 'ann', {})).title).toBe('Untitled');
    await expect(spaces.create('o', 'ann', { parent: 'c' })).rejects.toBeInstanceOf(BadRequestException);
  });
});

describe('finding spaces', () => {
  it('finds one in the trash for as long as it can be brought back', async () => {
    const space = await newSpace();
    const ago = (ms: number): Partial<Space> => ({ deletedAt: new Date(Date.now() - ms) });
    await set(space, ago(TRASH_PERIOD - 60_000));
    expect(await spaces.find(space._id)).not.toBeNull();
    await set(space, ago(TRASH_PERIOD + 60_000));
    expect(await spaces.find(space._id)).toBeNull();
    await expect(spaces.get(space._id)).rejects.toBeInstanceOf(NotFoundException);
    expect(await spaces.find('nowhere')).toBeNull();
  });

  it('lists what a member sees, newest first, without the trash and other organizations', async () => {
    const organization = newOrganization();
    const ben = await memberOf(organization, 'ben');
    const made: Space[] = [];
    for (let index = 0; index < 7; index++) made.push(await newSpace(organization, `s${index}`));
    await newSpace();
    const [hidden, trashed, granted] = [made[1], made[3], made[5]];
    if (!hidden || !trashed || !granted) throw new Error('spaces are missing');
    await set(hidden, { defaultLevel: null });
    await set(trashed, { deletedAt: new Date() });
    await set(granted, { defaultLevel: null, users: [{ subject: 'ben', role: 'read', createdAt: new Date() }] });
    const titles: string[] = [];
    for (let page: string | undefined, more = true; more;) {
      const part = await spaces.list(organization, ben, { page, limit: 2 });
      expect(part.count).toBe(5);
      titles.push(...part.items.map(({ space }) => space.title));
      page = part.next?.page;
      more = page !== undefined;
    }
    expect(titles).toEqual(['s6', 's5', 's4', 's2', 's0']);
    expect((await spaces.allVisible(organization, ben)).map(({ title }) => title)).toEqual(titles);
    const guest = await memberOf(organization, 'guest', null);
    expect(await spaces.list(organization, guest, {})).toEqual({ items: [], count: 0 });
  });

  it('goes through all of them in batches, the trash included', async () => {
    const space = await newSpace();
    await set(space, { deletedAt: new Date(0) });
    const seen: string[] = [];
    for await (const { _id } of spaces.all(3)) seen.push(_id);
    expect(seen).toEqual([...seen].sort());
    expect(new Set(seen).size).toBe(await connection.collection('spaces').countDocuments());
    expect(seen).toContain(space._id);
  });
});

describe('changing a space', () => {
  it('changes what is named, and raises its version', async () => {
    const space = await newSpace();
    const changed = await spaces.update(space, { title: 'New', defaultLevel: null, editMode: 'locked' });
    expect(changed).toMatchObject({ title: 'New', defaultLevel: null, editMode: 'locked', version: 2, emoji: '📄' });
    expect(await spaces.update(changed, {})).toBe(changed);
    expect(await spaces.get(space._id)).toEqual(changed);
  });

  it('is not for one that is gone, or in the trash', async () => {
    const space = await newSpace();
    await expect(spaces.update({ ...space, _id: 'nowhere' }, { title: 'x' })).rejects.toBeInstanceOf(NotFoundException);
    await set(space, { deletedAt: new Date() });
    await expect(spaces.update(space, { title: 'x' })).rejects.toBeInstanceOf(NotFoundException);
  });
});

describe('the pointer to the content', () => {
  it('moves together with the index, or leaves it behind', async () => {
    const space = await newSpace();
    expect(await spaces.moveRevision(space, 'r1', true)).toBe(true);
    const moved = await spaces.get(space._id);
    expect(moved).toMatchObject({ revision: 'r1', indexedRevision: 'r1', indexing: false });
    expect(await spaces.moveRevision(moved, 'r2', false)).toBe(true);
    expect(await spaces.get(space._id)).toMatchObject({ revision: 'r2', indexedRevision: 'r1', indexing: true });
  });

  it('does not move when somebody else moved it, or the index, or threw the space away', async () => {
    const space = await newSpace();
    await spaces.moveRevision(space, 'r1', true);
    expect(await spaces.moveRevision(space, 'r2', true)).toBe(false);
    const behind = await spaces.get(space._id);
    await set(space, { indexedRevision: 'other' });
    expect(await spaces.moveRevision(behind, 'r2', true)).toBe(false);
    const present = await spaces.get(space._id);
    await set(space, { deletedAt: new Date() });
    expect(await spaces.moveRevision(present, 'r2', true)).toBe(false);
    expect((await connection.collection<Space>('spaces').findOne({ _id: space._id }))?.revision).toBe('r1');
  });

  it('does not move together with an index that somebody wrote to', async () => {
    const space = await newSpace();
    expect(await spaces.touchIndex(space)).toBe(true);
    expect(await spaces.moveRevision(space, 'r1', true)).toBe(false);
    expect(await spaces.moveRevision(await spaces.get(space._id), 'r1', true)).toBe(true);
  });

  it('is moved by one of many at once', async () => {
    const space = await newSpace();
    const moves = await Promise.all([1, 2, 3, 4, 5].map((n) => spaces.moveRevision(space, `r${n}`, true)));
    expect(moves.filter(Boolean)).toHaveLength(1);
    expect((await spaces.get(space._id)).revision).toBe(`r${moves.indexOf(true) + 1}`);
  });
});

describe('the index of a space', () => {
  it('is behind until it comes to the present content, and no date moves for it', async () => {
    const space = await newSpace();
    await spaces.moveRevision(space, 'r1', false);
    const behind = await spaces.get(space._id);
    expect(await spaces.behindOnIndexing(1000)).toContain(space._id);
    expect(await spaces.touchIndex(behind)).toBe(true);
    expect(await spaces.markIndexed(behind, 'half-way')).toBe(true);
    expect(await spaces.get(space._id)).toMatchObject({ indexedRevision: 'half-way', indexing: true, indexSteps: 1 });
    expect(await spaces.markIndexed(await spaces.get(space._id), 'r1')).toBe(true);
    const done = await spaces.get(space._id);
    expect(done).toMatchObject({ indexedRevision: 'r1', indexing: false, updatedAt: behind.updatedAt });
    expect(await spaces.behindOnIndexing(1000)).not.toContain(space._id);
  });

  it('is on the way to one revision until it has come there', async () => {
    const space = await newSpace();
    await spaces.moveRevision(space, 'r1', false);
    const behind = await spaces.get(space._id);
    expect(await spaces.aimIndex(behind, 'r1')).toBe(true);
    expect(await spaces.aimIndex(behind, 'r1')).toBe(true);
    expect(await spaces.aimIndex(behind, 'r2')).toBe(false);
    expect(await spaces.get(space._id)).toMatchObject({ indexTarget: 'r1', updatedAt: behind.updatedAt });
    await spaces.markIndexed(behind, 'r1');
    expect(await spaces.get(space._id)).toMatchObject({ indexTarget: null, indexedRevision: 'r1', indexing: false });
    expect(await spaces.aimIndex(behind, 'r1')).toBe(false);
  });

  it('is left alone by whoever saw it elsewhere', async () => {
    const space = await newSpace();
    await set(space, { indexedRevision: 'other' });
    expect(await spaces.touchIndex(space)).toBe(false);
    expect(await spaces.markIndexed(space, 'r9')).toBe(false);
    expect((await spaces.get(space._id)).indexedRevision).toBe('other');
  });

  it('is told of in the number that is asked for', async () => {
    for (let index = 0; index < 3; index++) await spaces.moveRevision(await newSpace(), 'r1', false);
    expect(await spaces.behindOnIndexing(2)).toHaveLength(2);
  });
});
