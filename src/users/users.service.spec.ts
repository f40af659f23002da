import { ConflictException, NotFoundException } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { UsersModule, UsersService } from './index.js';

let test: TestDatabase;
let connection: Connection;
let users: UsersService;

beforeAll(async () => {
  test = await startTestDatabase();
  const app = await test.boot(UsersModule);
  users = app.get(UsersService);
  connection = app.get(getConnectionToken());
});

afterAll(() => test.stop());

describe('UsersService', () => {
  it('knows that there is nobody, until there is', async () => {
    expect(await users.isEmpty()).toBe(true);
    await users.create({ email: 'first@example.org', displayName: 'First' });
    expect(await users.isEmpty()).toBe(false);
  });

  it('makes a person, and finds them by id and by address in any case', async () => {
    const made = await users.create({ email: 'Ann.Author@Example.ORG', displayName: 'Ann' });
    expect(made).toMatchObject({
      email: 'ann.author@example.org',
      displayName: 'Ann',
      photoURL: null,
      password: null,
      emailVerified: false,
    });
    expect(made.createdAt).toBeInstanceOf(Date);
    expect(await users.get(made._id)).toEqual(made);
    expect(await users.findByEmail('ANN.author@example.org')).toEqual(made);
  });

  it('does not find who is not there', async () => {
    expect(await users.find('nobody')).toBeNull();
    expect(await users.findByEmail('nobody@example.org')).toBeNull();
    await expect(users.get('nobody')).rejects.toBeInstanceOf(NotFoundException);
    await expect(users.update('nobody', { displayName: 'x' })).rejects.toBeInstanceOf(NotFoundException);
  });

  it.each(['Taken@example.org', 'taken@EXAMPLE.org'])('has one person an address: %s', async (email) => {
    await users.create({ email: 'taken@example.org', displayName: 'One' }).catch(() => undefined);
    const second = users.create({ email, displayName: 'Two' });
    await expect(second).rejects.toBeInstanceOf(ConflictException);
    await expect(second).rejects.toThrow('email is taken: there is already an account for taken@example.org');
  });

  it('lets one of many win who take the same address at once', async () => {
    const all = Array.from({ length: 8 }, (_, index) =>
      users.create({ email: 'race@example.org', displayName: `Racer ${index}` }),
    );
    const ends = await Promise.allSettled(all);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(ConflictException);
    expect(await connection.collection('users').countDocuments({ email: 'race@example.org' })).toBe(1);
  });

  it('reads many at once, each once, without those that are not there', async () => {
    const [a, b] = [
      await users.create({ email: 'many-a@example.org', displayName: 'A' }),
      await users.create({ email: 'many-b@example.org', displayName: 'B' }),
    ];
    const found = await users.getMany([b._id, a._id, 'nobody', b._id, '__proto__']);
    expect([...found.keys()].sort()).toEqual([a._id, b._id].sort());
    expect(found.get(a._id)).toEqual(a);
    expect(await users.getMany([])).toEqual(new Map());
  });

  it('changes what is named, and only that', async () => {
    const made = await users.create({ email: 'change@example.org', displayName: 'Before' });
    const changed = await users.update(made._id, { displayName: 'After' });
    expect(changed).toEqual({ ...made, displayName: 'After', updatedAt: changed.updatedAt });
    expect(changed.updatedAt.getTime()).toBeGreaterThanOrEqual(made.updatedAt.getTime());
    const photo = 'https://example.org/p.png';
    expect((await users.update(made._id, { photoURL: photo })).photoURL).toBe(photo);
    expect((await users.update(made._id, { photoURL: null })).photoURL).toBeNull();
  });
});

describe('signing in', () => {
  it('takes the password of the address, in any case of the address', async () => {
    const made = await users.create({ email: 'sign@example.org', displayName: 'S', password: 'correct horse' });
    expect(await users.verify('Sign@Example.org', 'correct horse')).toEqual(made);
    expect(await users.verify('sign@example.org', 'wrong horse')).toBeNull();
    expect(await users.verify('nobody@example.org', 'correct horse')).toBeNull();
    const raw = await connection.collection('users').findOne({ email: 'sign@example.org' });
    expect(JSON.stringify(raw)).not.toContain('correct horse');
  });

  it('is not for people without a password, until they have one', async () => {
    const { _id } = await users.create({ email: 'without@example.org', displayName: 'W' });
    expect(await users.verify('without@example.org', '')).toBeNull();
    await users.setPassword(_id, await users.hash('brand new one'));
    expect((await users.verify('without@example.org', 'brand new one'))?._id).toBe(_id);
    await users.setPassword(_id, await users.hash('another one'));
    expect(await users.verify('without@example.org', 'brand new one')).toBeNull();
  });
});
