import type { Role } from '../src/common/roles.js';
import { Invariants, type Problem } from '../src/database/index.js';
import { startApp, type TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import type { TestUser } from './support/factories.js';

const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_ENTRY = refusal(404, 'Permission not found');
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

type Level = Role | 'inherit' | null;
interface Entry {
  permission: Role | null;
  user?: { id: string; displayName: string };
  team?: { id: string; title: string };
}
interface List<T = Entry> {
  items: T[];
  count: number;
  next?: { page: string };
}

let app: TestApp;
let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await app.create.organization();
  admin = organization.admin;
  ann = await app.create.user({ in: organization, displayName: 'Ann' });
  bob = await app.create.user({ in: organization, displayName: 'Bob', role: null });
});

const idOf = (body: unknown): string => (body as { id: string }).id;
const makeCollection = async (parent?: string): Promise<string> => {
  const body = parent === undefined ? {} : { parent };
  const path = `/v1/orgs/${organization._id}/collections`;
  return `collections/${idOf((await app.as(admin).post(path).send(body).expect(201)).body)}`;
};
const makeSpace = async (title = 'Handbook', parent?: string): Promise<string> => {
  const body = { title, ...(parent !== undefined && { parent: parent.replace('collections/', '') }) };
  const path = `/v1/orgs/${organization._id}/spaces`;
  return `spaces/${idOf((await app.as(admin).post(path).send(body).expect(201)).body)}`;
};
const at = (place: string, below = '') => `/v1/${place}/permissions${below}`;
const give = (place: string, body: object, user = admin) => app.as(user).post(at(place)).send(body);
const level = (place: string, defaultLevel: Level) =>
  app.as(admin).patch(`/v1/${place}`).send({ defaultLevel }).expect(200);
const list = async (place: string, below: string, query: object = {}): Promise<List> =>
  (await app.as(admin).get(at(place, below)).query(query).expect(200)).body as List;
/** The entries as `[name, role]`, without that of the maker. */
const entries = async (place: string, below: '/users' | '/teams'): Promise<[string | undefined, Role | null][]> =>
  (await list(place, below)).items
    .filter(({ user }) => user?.id !== admin._id)
    .map(({ user, team, permission }) => [user?.displayName ?? team?.title, permission]);
/** Everyone with a role, by name. */
const everyone = async (place: string, query: object = {}): Promise<Record<string, Role | null>> => {
  const { items, count } = await list(place, '/aggregate', query);
  expect(count).toBe(items.length);
  return Object.fromEntries(items.map(({ user, permission }) => [user?.displayName ?? '', permission]));
};

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

describe('everyone with a role', () => {
  it('comes from all levels above, filtered by the role', async () => {
    const outer = await makeCollection();
    const inner = await makeCollection(outer.replace('collections/', ''));
    const space = await makeSpace('Handbook', inner);
    const team = await app.create.team({ organization, title: 'Writers', members: [bob] });
    const cat = await app.create.user({ in: organization, displayName: 'Cat', role: 'create' });
    const all = { [admin.displayName]: 'admin' };
    expect(await everyone(space)).toEqual({ ...all, Ann: 'read', Cat: 'create' });
    await give(outer, { teams: [team._id], users: [cat._id], role: 'comment' }).expect(204);
    expect(await everyone(space)).toEqual({ ...all, Ann: 'read', Cat: 'comment', Bob: 'comment' });
    await level(inner, 'edit');
    expect(await everyone(space)).toEqual({ ...all, Ann: 'edit', Cat: 'edit' });
    await give(inner, { users: [bob._id], role: 'review' }).expect(204);
    await give(space, { users: [ann._id], role: null }).expect(204);
    expect(await everyone(space)).toEqual({ ...all, Cat: 'edit', Bob: 'review' });
    expect(await everyone(space, { role: 'edit' })).toEqual({ Cat: 'edit' });
    expect(await everyone(space, { role: 'admin' })).toEqual(all);
    expect(await everyone(space, { role: 'read' })).toEqual({});
    await app.as(admin).get(at(space, '/aggregate')).query({ role: 'guest' }).expect(400);
  });

  it('is walked page by page, with a fixed number of queries', async () => {
    const inner = await makeCollection(await makeCollection().then((id) => id.replace('collections/', '')));
    const space = await makeSpace('Handbook', inner);
    const commands = () => app.commandsOf(() => list(space, '/aggregate', { limit: 1000 }));
    const few = await commands();
    for (let index = 0; index < 12; index++)
      await app.create.user({ in: organization, role: index % 2 ? 'read' : null });
    expect((await commands()).sort()).toEqual(few.sort());
    const seen: (string | undefined)[] = [];
    for (let page: string | undefined; ;) {
      const part = await list(space, '/aggregate', { limit: 3, page });
      expect(part.count).toBe(8);
      seen.push(...part.items.map(({ user }) => user?.id));
      if (!part.next) break;
      page = part.next.page;
    }
    expect([seen.length, new Set(seen).size]).toEqual([8, 8]);
  });
});

describe('the spaces of a member', () => {
  const path = (user: TestUser | string) =>
    `/v1/orgs/${organization._id}/members/${typeof user === 'string' ? user : user._id}/spaces`;
  const titles = async (user: TestUser, query: object = {}, by = admin): Promise<[string, Role][]> => {
    const { body } = await app.as(by).get(path(user)).query(query).expect(200);
    const { items } = body as List<{ permission: Role; space: { title: string } }>;
    return items.map(({ permission, space }) => [space.title, permission]);
  };

  it('are those with an effective role, with that role, as the caller sees them', async () => {
    const [first, second, third] = [await makeSpace('First'), await makeSpace('Second'), await makeSpace('Third')];
    await give(second, { users: [bob._id], role: 'edit' }).expect(204);
    await level(third, null);
    expect(await titles(ann)).toEqual([
      ['Second', 'read'],
      ['First', 'read'],
    ]);
    expect(await titles(ann, { order: 'asc' }, ann)).toEqual([
      ['First', 'read'],
      ['Second', 'read'],
    ]);
    expect(await titles(bob)).toEqual([['Second', 'edit']]);
    const asAdmin = await app.as(admin).get(path(bob)).expect(200);
    const space = (await app.as(admin).get(`/v1/${second}`).expect(200)).body as object;
    expect(asAdmin.body).toEqual({ count: 1, items: [{ permission: 'edit', space }] });
    const asBob = await app.as(bob).get(path(bob)).expect(200);
    const seen = (await app.as(bob).get(`/v1/${second}`).expect(200)).body as object;
    expect(asBob.body).toEqual({ count: 1, items: [{ permission: 'edit', space: seen }] });
    await app.as(admin).delete(`/v1/${second}`).expect(205);
    expect(await titles(bob)).toEqual([]);
    expect((await titles(admin)).map(([title]) => title)).toEqual(['Third', 'First']);
    expect(first).toBeDefined();
  });

  it('are counted for the member and the team', async () => {
    const team = await app.create.team({ organization, title: 'Writers', members: [ann, bob] });
    const [first, second, third] = [await makeSpace('First'), await makeSpace('Second'), await makeSpace('Third')];
    await give(first, { teams: [team._id], role: 'edit' }).expect(204);
    await give(second, { teams: [team._id], role: null }).expect(204);
    await give(third, { teams: [team._id], role: 'read' }).expect(204);
    const counts = async (): Promise<Record<string, number>> => {
      const { body } = await app.as(admin).get(`/v1/orgs/${organization._id}/members`).expect(200);
      const { items } = body as List<{ user: { displayName: string }; spaces: number }>;
      return Object.fromEntries(items.map(({ user, spaces }) => [user.displayName, spaces]));
    };
    const ofTeam = async (): Promise<unknown> =>
      (await app.as(admin).get(`/v1/orgs/${organization._id}/teams/${team._id}`).expect(200)).body;
    expect(await counts()).toEqual({ Ann: 2, Bob: 2, [admin.displayName]: 3 });
    expect(await ofTeam()).toMatchObject({ spaces: 2 });
    await app.as(admin).delete(`/v1/${third}`).expect(205);
    expect(await counts()).toEqual({ Ann: 1, Bob: 1, [admin.displayName]: 2 });
    expect(await ofTeam()).toMatchObject({ spaces: 1 });
  });

  it('are told to administrators and to the member alone', async () => {
    await app.as(ann).get(path(bob)).expect(403);
    await app.as(bob).get(path(bob)).expect(200);
    await app.as(admin).get(path(NOWHERE)).expect(404);
    await app.as(admin).get(path(ann)).query({ order: 'up' }).expect(400);
    await app
      .as(await app.create.user())
      .get(path(ann))
      .expect(404);
  });

  it('cost a fixed number of queries, 1,000 of them too', async () => {
    await makeSpace();
    // a long answer comes in two parts
    const lists = async (): Promise<string[]> =>
      (await app.commandsOf(() => app.as(admin).get(path(ann)).query({ limit: 1000 }).expect(200)))
        .filter((name) => name !== 'getMore')
        .sort();
    const few = await lists();
    const record = await app.connection.collection('spaces').findOne({ organization: organization._id });
    const copies = Array.from({ length: 1000 }, (_, index) => ({
      ...record,
      _id: `${organization._id}-${String(index)}`,
    }));
    await app.connection.collection<{ _id: string }>('spaces').insertMany(copies);
    const { body } = await app.as(admin).get(path(ann)).query({ limit: 1000 }).expect(200);
    const { items, count } = body as List<{ permission: Role }>;
    expect([items.length, count, new Set(items.map(({ permission }) => permission))]).toEqual([
      1000,
      1001,
      new Set(['read']),
    ]);
    expect(await lists()).toEqual(few);
  });
});
