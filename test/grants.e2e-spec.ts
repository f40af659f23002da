import type { Role } from '../src/common/roles.js';
import { Invariants, type Problem } from '../src/database/index.js';
import type { TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import type { TestUser } from './support/factories.js';
import type { GivenOrganization } from './support/given.js';
import { givenGrants } from './support/grants.js';

const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_ENTRY = refusal(404, 'Permission not found');

let app: TestApp;
let organization: GivenOrganization['organization'];
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;
const { makeCollection, makeSpace, at, give, level, list, entries, everyone } = givenGrants((given) => {
  ({ app, organization, admin, ann, bob } = given);
});

describe.each(['space', 'collection'])('the entries of a %s', (kind) => {
  let place: string;

  beforeEach(async () => {
    place = kind === 'space' ? await makeSpace() : await makeCollection();
  });

  it('are given to people and teams, and change the role of who has one', async () => {
    const writers = await app.create.team({ organization, title: 'Writers', members: [bob] });
    expect((await give(place, { users: [ann._id], teams: [writers._id], role: 'edit' }).expect(204)).text).toBe('');
    await give(place, { users: [bob._id, ann._id, bob._id], role: null }).expect(204);
    expect(new Map(await entries(place, '/users'))).toEqual(
      new Map([
        ['Ann', null],
        ['Bob', null],
      ]),
    );
    expect(await entries(place, '/teams')).toEqual([['Writers', 'edit']]);
    expect(await list(place, '/users', { limit: 1 })).toMatchObject({ count: 3, items: [{ permission: null }] });
  });

  it('are shown with the person or the team', async () => {
    const writers = await app.create.team({ organization, title: 'Writers', members: [ann] });
    await give(place, { users: [ann._id], role: 'edit' }).expect(204);
    await give(place, { teams: [writers._id], role: 'create' }).expect(204);
    const { items } = await list(place, '/users');
    expect(items[0]).toEqual({
      permission: 'edit',
      user: {
        object: 'user',
        id: ann._id,
        displayName: 'Ann',
        email: ann.email,
        urls: { location: `http://docs.test/v1/users/${ann._id}` },
      },
    });
    expect(await list(place, '/teams')).toEqual({
      count: 1,
      items: [
        {
          permission: 'create',
          team: {
            object: 'team',
            id: writers._id,
            title: 'Writers',
            members: 1,
            spaces: kind === 'space' ? 1 : 0,
            createdAt: writers.createdAt.toISOString(),
            permissions: { admin: true, view: true },
          },
        },
      ],
    });
  });

  it('are not given to strangers, or to nobody, and then none is given', async () => {
    const stranger = await app.create.user();
    const other = await app.create.team({ organization: await app.create.organization() });
    const bodies: [object, string][] = [
      [{ users: [ann._id, stranger._id], role: 'read' }, `users names "${stranger._id}"`],
      [{ users: [ann._id], teams: [other._id], role: 'read' }, `teams names "${other._id}"`],
      [{ role: 'read' }, 'users'],
      [{ users: [], role: 'read' }, 'users must be'],
      [{ users: 'ann', role: 'read' }, 'users must be'],
      [{ users: [ann._id] }, 'role must be'],
      [{ users: [ann._id], role: 'owner' }, 'role must be'],
    ];
    for (const [body, message] of bodies) {
      const answer = await give(place, body).expect(400);
      expect([body, answer.body]).toEqual([body, refusal(400, expect.stringContaining(message))]);
    }
    expect(await entries(place, '/users')).toEqual([]);
  });

  it('are changed and removed one by one', async () => {
    const writers = await app.create.team({ organization, title: 'Writers', members: [ann] });
    await give(place, { users: [ann._id], teams: [writers._id], role: 'read' }).expect(204);
    const [user, team] = [at(place, `/users/${ann._id}`), at(place, `/teams/${writers._id}`)];
    for (const [path, below] of [
      [user, '/users'],
      [team, '/teams'],
    ] as const) {
      await app.as(admin).patch(path).send({ role: 'review' }).expect(204);
      await app.as(admin).patch(path).send({}).expect(204);
      await app.as(admin).patch(path).send({ role: 'boss' }).expect(400);
      expect((await entries(place, below)).map(([, role]) => role)).toEqual(['review']);
      await app.as(admin).patch(path).send({ role: null }).expect(204);
      expect((await entries(place, below)).map(([, role]) => role)).toEqual([null]);
      const { headers } = await app.as(admin).delete(path).expect(205);
      expect(headers['content-length']).toBe('0');
      expect((await app.as(admin).delete(path).expect(404)).body).toEqual(NO_ENTRY);
      expect((await app.as(admin).patch(path).send({ role: 'read' }).expect(404)).body).toEqual(NO_ENTRY);
      expect(await entries(place, below)).toEqual([]);
    }
  });

  it('are listed newest first, page by page, while others are removed', async () => {
    const people = [];
    for (let index = 0; index < 5; index++) {
      const user = await app.create.user({ in: organization, displayName: `P${String(index)}` });
      await give(place, { users: [user._id], role: 'read' }).expect(204);
      people.push(user);
    }
    const first = await list(place, '/users', { limit: 2 });
    expect(first.items.map(({ user }) => user?.displayName)).toEqual(['P4', 'P3']);
    for (const user of people.slice(3))
      await app
        .as(admin)
        .delete(at(place, `/users/${user._id}`))
        .expect(205);
    const rest = await list(place, '/users', { page: first.next?.page });
    expect(rest.items.map(({ user }) => user?.displayName)).toEqual(['P2', 'P1', 'P0', admin.displayName]);
    expect(rest.count).toBe(4);
    await app.as(admin).get(at(place, '/teams')).query({ page: first.next?.page }).expect(400);
  });

  it('are for its administrators alone, and for those above always', async () => {
    await give(place, { users: [ann._id], role: 'create' }).expect(204);
    for (const below of ['/users', '/teams', '/aggregate']) await app.as(ann).get(at(place, below)).expect(403);
    await give(place, { users: [ann._id], role: 'admin' }, ann).expect(403);
    await give(place, { users: [ann._id], role: 'admin' }).expect(204);
    await app
      .as(ann)
      .patch(at(place, `/users/${admin._id}`))
      .send({ role: null })
      .expect(204);
    await level(place, null);
    await app
      .as(ann)
      .delete(at(place, `/users/${ann._id}`))
      .expect(205);
    await app.as(ann).get(at(place, '/users')).expect(404);
    // an administrator of the organization is never locked out
    await app.as(admin).get(at(place, '/users')).expect(200);
    expect(await everyone(place)).toEqual({ [admin.displayName]: 'admin' });
    await app.as(bob).get(at(place, '/users')).expect(404);
  });

  it('lose nothing when many are given and removed at once', async () => {
    await give(place, { users: [ann._id], role: 'read' }).expect(204);
    const people = await Promise.all(Array.from({ length: 10 }, () => app.create.user({ in: organization })));
    await Promise.all([
      ...people.map(({ _id }) => give(place, { users: [_id], role: 'edit' }).expect(204)),
      app
        .as(admin)
        .delete(at(place, `/users/${ann._id}`))
        .expect(205),
      app.as(admin).patch(`/v1/${place}`).send({ title: 'Renamed' }).expect(200),
    ]);
    const { items } = await list(place, '/users');
    const given = items.filter(({ permission }) => permission === 'edit').map(({ user }) => user?.id);
    expect(given.sort()).toEqual(people.map(({ _id }) => _id).sort());
    expect(items).toHaveLength(people.length + 1);
    const { body } = await app.as(admin).get(`/v1/${place}`).expect(200);
    expect(body).toMatchObject({ title: 'Renamed' });
  });

  it('are not left behind by who leaves while they are given', async () => {
    for (let round = 0; round < cases(3, 40); round++) {
      const [user, { _id: team }] = [
        await app.create.user({ in: organization }),
        await app.create.team({ organization }),
      ];
      const [one, other] = await Promise.all([
        give(place, { users: [user._id], role: 'edit' }),
        give(place, { teams: [team], role: 'edit' }),
        app.as(user).delete(`/v1/orgs/${organization._id}/members/${user._id}`).expect(204),
        app.as(admin).delete(`/v1/orgs/${organization._id}/teams/${team}`).expect(204),
      ]);
      for (const { status } of [one, other]) expect([204, 400]).toContain(status);
      expect([await entries(place, '/users'), await entries(place, '/teams')]).toEqual([[], []]);
    }
  });

  it('of nobody are found by the doctor, who drops them', async () => {
    const id = place.replace(/^\w+\//, '');
    const { _id: team } = await app.create.team({ organization });
    await give(place, { users: [ann._id], teams: [team], role: 'read' }).expect(204);
    const problems = async (): Promise<Problem[]> => {
      const found: Problem[] = [];
      const invariants = new Map(app.nest.get(Invariants, { strict: false }).entries());
      const entriesOfAll = invariants.get('every entry in a space or collection is of somebody in the organization');
      for await (const problem of entriesOfAll?.() ?? []) if (problem.where.includes(id)) found.push(problem);
      return found;
    };
    expect(await problems()).toEqual([]);
    await app.connection.collection<{ _id: string }>('members').deleteOne({ _id: `${organization._id}:${ann._id}` });
    await app.connection.collection<{ _id: string }>('teams').deleteOne({ _id: team });
    const [problem, ...others] = await problems();
    expect([problem, others]).toEqual([
      {
        where: `${kind} ${id}`,
        what: '1 of its entries are of people and 1 of teams that the organization does not have',
        repair: expect.any(Function) as unknown,
      },
      [],
    ]);
    await problem?.repair?.();
    expect(await problems()).toEqual([]);
    expect([await entries(place, '/users'), await entries(place, '/teams')]).toEqual([[], []]);
  });

  it('go with the team, and with who leaves the organization', async () => {
    const writers = await app.create.team({ organization, title: 'Writers', members: [bob] });
    await give(place, { users: [ann._id, bob._id], teams: [writers._id], role: 'edit' }).expect(204);
    await app.as(admin).delete(`/v1/orgs/${organization._id}/teams/${writers._id}`).expect(204);
    await app.as(ann).delete(`/v1/orgs/${organization._id}/members/${ann._id}`).expect(204);
    expect(await entries(place, '/teams')).toEqual([]);
    expect(await entries(place, '/users')).toEqual([['Bob', 'edit']]);
  });

  it('decide at once, the nearest first', async () => {
    const team = await app.create.team({ organization, title: 'Writers', members: [ann] });
    const higher = await app.create.team({ organization, title: 'Editors', members: [ann] });
    const role = async (user: TestUser): Promise<Role | null> => {
      const found = (await list(place, '/aggregate')).items.find((one) => one.user?.id === user._id);
      const seen = await app.as(user).get(`/v1/${place}`);
      expect(seen.status).toBe(found ? 200 : 404);
      return found?.permission ?? null;
    };
    expect([await role(ann), await role(bob)]).toEqual(['read', null]);
    await level(place, 'comment');
    expect([await role(ann), await role(bob)]).toEqual(['comment', null]);
    await give(place, { teams: [team._id], role: 'edit' }).expect(204);
    expect(await role(ann)).toBe('edit');
    await give(place, { teams: [higher._id], role: 'review' }).expect(204);
    expect(await role(ann)).toBe('review');
    await app.as(admin).delete(`/v1/orgs/${organization._id}/teams/${higher._id}/members/${ann._id}`).expect(204);
    expect(await role(ann)).toBe('edit');
    await app.as(admin).put(`/v1/orgs/${organization._id}/teams/${team._id}/members/${bob._id}`).expect(204);
    expect(await role(bob)).toBe('edit');
    await give(place, { users: [ann._id], role: 'read' }).expect(204);
    expect(await role(ann)).toBe('read');
    await app
      .as(admin)
      .patch(at(place, `/users/${ann._id}`))
      .send({ role: null })
      .expect(204);
    expect(await role(ann)).toBeNull();
    await app
      .as(admin)
      .delete(at(place, `/users/${ann._id}`))
      .expect(205);
    expect(await role(ann)).toBe('edit');
    await app
      .as(admin)
      .delete(at(place, `/teams/${team._id}`))
      .expect(205);
    expect([await role(ann), await role(bob)]).toEqual(['comment', null]);
    await level(place, null);
    expect(await role(ann)).toBeNull();
    await level(place, 'inherit');
    expect(await role(ann)).toBe('read');
  });
});
