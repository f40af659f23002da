import type { Role } from '../src/common/roles.js';
import type { TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import type { GivenOrganization } from './support/given.js';
import { givenGrants, type List } from './support/grants.js';

const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

let app: TestApp;
let organization: GivenOrganization['organization'];
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;
const { makeCollection, makeSpace, at, give, level, list, everyone } = givenGrants((given) => {
  ({ app, organization, admin, ann, bob } = given);
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
