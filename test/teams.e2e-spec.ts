import { Invariants, type Problem } from '../src/database/index.js';
import type { TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import type { TestUser } from './support/factories.js';
import { givenPeople } from './support/given.js';
import type { GivenOrganization } from './support/given.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_TEAM = refusal(404, 'Team not found');
const NO_MEMBER = refusal(404, 'Member not found');
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

interface TeamBody {
  id: string;
  title: string;
  members: number;
  spaces: number;
}
interface List<T> {
  items: T[];
  count: number;
  next?: { page: string };
}
type TeamMember = { organization: { id: string }; team: { role: string } };

describe('teams', () => {
  let app: TestApp;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  let ann: TestUser;
  let bob: TestUser;
  givenPeople((given) => {
    ({ app, organization, admin, ann, bob } = given);
  });

  const root = () => `/v1/orgs/${organization._id}/teams`;
  const at = (team: string, below = '') => `${root()}/${team}${below}`;
  const make = async (title: string, ...members: TestUser[]): Promise<string> =>
    (await app.create.team({ organization, title, members }))._id;
  const read = async (team: string): Promise<TeamBody> =>
    (await app.as(admin).get(at(team)).expect(200)).body as TeamBody;
  const titles = async (query: object, path = root(), user = admin): Promise<string[]> =>
    ((await app.as(user).get(path).query(query).expect(200)).body as List<TeamBody>).items.map(({ title }) => title);
  /** Who belongs to `team`, by name, with the number of members that the team shows. */
  const membersOf = async (team: string): Promise<[Record<string, string>, number]> => {
    const { body } = await app.as(admin).get(at(team, '/members')).expect(200);
    const { items, count } = body as List<TeamMember>;
    const names = new Map([admin, ann, bob].map(({ _id, displayName }) => [_id, displayName]));
    expect([items.length, (await read(team)).members]).toEqual([count, count]);
    return [Object.fromEntries(items.map((one) => [names.get(one.organization.id), one.team.role])), count];
  };
  const change = (team: string, body: object, user = admin) => app.as(user).put(at(team, '/members')).send(body);

  it('are made by administrators, with members of the organization', async () => {
    const body = { title: 'Writers', members: [ann._id, bob._id, ann._id] };
    const made = await app.as(admin).put(root()).send(body).expect(201);
    const team = made.body as TeamBody;
    expect(team).toEqual({
      object: 'team',
      id: ID,
      title: 'Writers',
      members: 2,
      spaces: 0,
      createdAt: ISO,
      permissions: { admin: true, view: true },
    });
    expect(made.headers.location).toBe(`http://docs.test${at(team.id)}`);
    expect(await read(team.id)).toEqual(team);
    expect(await membersOf(team.id)).toEqual([{ Ann: 'member', Bob: 'member' }, 2]);
    await app.as(admin).put(root()).send({ title: 'Writers' }).expect(201);
  });

  it('are not made of strangers, or without a title', async () => {
    const stranger = await app.create.user();
    const { body } = await app
      .as(admin)
      .put(root())
      .send({ title: 'Writers', members: [ann._id, stranger._id] })
      .expect(400);
    expect(body).toEqual(refusal(400, `members names "${stranger._id}", who is no member of this organization`));
    expect(await titles({})).toEqual([]);
    for (const given of [
      {},
      { title: '' },
      { title: 'x'.repeat(65) },
      { title: null },
      { title: 'x', members: 'ann' },
    ]) {
      await app.as(admin).put(root()).send(given).expect(400);
    }
  });

  it('are listed newest first, page by page, by title and by who manages them', async () => {
    const [first] = [await make('Writers', ann), await make('Straße'), await make('Readers', ann)];
    await change(first, { memberships: { [ann._id]: { role: 'owner' } } }).expect(204);
    expect(await titles({})).toEqual(['Readers', 'Straße', 'Writers']);
    expect(await titles({ title: 'STRASSE' })).toEqual(['Straße']);
    expect(await titles({ title: 'ER' })).toEqual(['Readers', 'Writers']);
    expect(await titles({ title: '.' })).toEqual([]);
    expect(await titles({ owner: ann._id })).toEqual(['Writers']);
    expect(await titles({ owner: ann._id, title: 'read' })).toEqual([]);
    expect(await titles({ owner: admin._id })).toEqual(['Readers', 'Straße', 'Writers']);
    expect(await titles({ owner: NOWHERE })).toEqual([]);
    const { body } = await app.as(ann).get(root()).query({ limit: 2 }).expect(200);
    const { next, count } = body as List<TeamBody>;
    expect([count, await titles({ limit: 2, page: next?.page }, root(), ann)]).toEqual([3, ['Writers']]);
    await app.as(ann).get(root()).query({ page: next?.page, title: 'e' }).expect(400);
    await app.as(bob).get(root()).expect(403);
  });

  it('are renamed and deleted', async () => {
    const team = await make('Writers', ann);
    const { body } = await app.as(admin).patch(at(team)).send({ title: 'Editors' }).expect(200);
    expect(body).toEqual(await read(team));
    expect(await titles({ title: 'edit' })).toEqual(['Editors']);
    expect(await titles({ title: 'write' })).toEqual([]);
    expect((await app.as(admin).delete(at(team)).expect(204)).text).toBe('');
    expect((await app.as(admin).delete(at(team)).expect(404)).body).toEqual(NO_TEAM);
    expect((await app.as(admin).get(at(team)).expect(404)).body).toEqual(NO_TEAM);
    expect(await titles({}, `/v1/orgs/${organization._id}/members/${ann._id}/teams`)).toEqual([]);
  });

  it('are those of one organization only', async () => {
    const other = await app.create.organization();
    const team = (await app.create.team({ organization: other }))._id;
    expect((await app.as(admin).get(at(team)).expect(404)).body).toEqual(NO_TEAM);
    await app.as(admin).delete(at(team)).expect(404);
    await app
      .as(admin)
      .put(at(team, `/members/${ann._id}`))
      .expect(404);
    await app.as(admin).get(`/v1/orgs/${other._id}/teams`).expect(404);
  });

  it('list their members as they are in the organization and in the team', async () => {
    const team = await make('Writers', ann);
    const { body } = await app.as(ann).get(at(team, '/members')).expect(200);
    expect(body).toEqual({
      count: 1,
      items: [
        {
          organization: {
            object: 'member',
            id: ann._id,
            role: 'read',
            user: {
              object: 'user',
              id: ann._id,
              displayName: 'Ann',
              email: ann.email,
              urls: { location: `http://docs.test/v1/users/${ann._id}` },
            },
            disabled: false,
            joinedAt: ISO,
            sso: false,
            spaces: 0,
            teams: 1,
          },
          team: { role: 'member' },
          permissions: { view: true },
        },
      ],
    });
    await change(team, { add: [bob._id, admin._id] }).expect(204);
    const walked: string[] = [];
    for (let page: string | undefined; ;) {
      const part = (await app.as(ann).get(at(team, '/members')).query({ limit: 1, page }).expect(200))
        .body as List<TeamMember>;
      walked.push(...part.items.map((one) => one.organization.id));
      if (!part.next) break;
      page = part.next.page;
    }
    expect(walked).toEqual([bob._id, ann._id, admin._id]);
  });

  it('take in and let go of many at once, by id or by address', async () => {
    const team = await make('Writers', ann);
    await change(team, {
      add: [bob.email.toUpperCase(), ann._id],
      memberships: { [bob._id]: { role: 'owner' } },
    }).expect(204);
    expect(await membersOf(team)).toEqual([{ Ann: 'member', Bob: 'owner' }, 2]);
    // who is named again stays what they are; who is named by a role alone is added, or gets it
    await change(team, {
      add: [bob._id],
      memberships: { [ann.email]: { role: 'owner' }, [admin._id]: { role: 'member' } },
    }).expect(204);
    expect(await membersOf(team)).toEqual([{ Ann: 'owner', Bob: 'owner', 'Ann Author': 'member' }, 3]);
    // removal wins, and strangers are let go of in silence
    const remove = [ann.email, bob._id, NOWHERE, 'nobody@example.org'];
    await change(team, { add: [bob._id], remove, memberships: { [ann._id]: { role: 'member' } } }).expect(204);
    expect(await membersOf(team)).toEqual([{ 'Ann Author': 'member' }, 1]);
    await change(team, {}).expect(204);
    expect(await membersOf(team)).toEqual([{ 'Ann Author': 'member' }, 1]);
  });

  it('change nothing when one of those named is unknown', async () => {
    const team = await make('Writers', ann);
    const stranger = await app.create.user();
    const bodies: [object, string][] = [
      [{ add: [bob._id, NOWHERE] }, `add names "${NOWHERE}"`],
      [
        { add: [bob._id], memberships: { [stranger.email]: { role: 'member' } } },
        `memberships names "${stranger.email}"`,
      ],
      [{ remove: [ann._id], add: [stranger._id] }, `add names "${stranger._id}"`],
      [{ add: [bob._id], memberships: { toString: { role: 'owner' } } }, 'memberships names "toString"'],
      [{ memberships: { [ann._id]: { role: 'owner' }, [ann.email]: { role: 'member' } } }, 'two roles'],
      [{ memberships: { [ann._id]: { role: 'boss' } } }, 'memberships must be'],
      [{ memberships: { [ann._id]: {} } }, 'memberships must be'],
      [{ memberships: [ann._id] }, 'memberships must be'],
      [{ memberships: null }, 'memberships must be'],
      [{ add: [5] }, 'add must be'],
      [{ remove: ann._id }, 'remove must be'],
    ];
    for (const [body, message] of bodies) {
      const answer = await change(team, body).expect(400);
      expect([body, answer.body]).toEqual([body, refusal(400, expect.stringContaining(message))]);
    }
    await change(team, JSON.parse('{"memberships":{"__proto__":{"role":"owner"}}}') as object);
    expect(await membersOf(team)).toEqual([{ Ann: 'member' }, 1]);
    await app.as(admin).put(at(team, '/members')).expect(400);
  });

  it('take in one member, and let go of one', async () => {
    const team = await make('Writers');
    const one = (user: TestUser) => at(team, `/members/${user._id}`);
    await app.as(admin).put(one(ann)).expect(204);
    await app.as(admin).put(one(bob)).send({ role: 'owner' }).expect(204);
    await app.as(admin).put(one(bob)).send({}).expect(204);
    expect(await membersOf(team)).toEqual([{ Ann: 'member', Bob: 'owner' }, 2]);
    await app.as(admin).put(one(bob)).send({ role: 'member' }).expect(204);
    expect(await membersOf(team)).toEqual([{ Ann: 'member', Bob: 'member' }, 2]);
    await app.as(admin).put(one(bob)).send({ role: null }).expect(400);
    await app.as(admin).delete(one(bob)).expect(204);
    expect((await app.as(admin).delete(one(bob)).expect(404)).body).toEqual(NO_MEMBER);
    const stranger = await app.create.user();
    expect((await app.as(admin).put(one(stranger)).expect(404)).body).toEqual(NO_MEMBER);
    expect(await membersOf(team)).toEqual([{ Ann: 'member' }, 1]);
  });

  it('are managed by their owners, guests included, and left by whoever wants to', async () => {
    const [team, other] = [await make('Writers', ann, bob), await make('Readers')];
    const ofBob = async (): Promise<unknown> =>
      ((await app.as(bob).get(at(team)).expect(200)).body as { permissions: unknown }).permissions;
    expect(await ofBob()).toEqual({ admin: false, view: true });
    await app.as(bob).patch(at(team)).send({ title: 'Mine' }).expect(403);
    await app
      .as(bob)
      .put(at(team, `/members/${admin._id}`))
      .expect(403);
    await app
      .as(bob)
      .delete(at(team, `/members/${ann._id}`))
      .expect(403);
    await change(team, { memberships: { [bob._id]: { role: 'owner' } } }).expect(204);
    expect(await ofBob()).toEqual({ admin: true, view: true });
    await app.as(bob).patch(at(team)).send({ title: 'Mine' }).expect(200);
    await change(team, { add: [admin._id] }, bob).expect(204);
    await app.as(bob).delete(at(team)).expect(403);
    expect((await app.as(bob).patch(at(other)).send({ title: 'Mine' }).expect(404)).body).toEqual(NO_TEAM);
    expect((await app.as(bob).get(at(other)).expect(404)).body).toEqual(NO_TEAM);
    await app
      .as(ann)
      .delete(at(team, `/members/${ann._id}`))
      .expect(204);
    await app
      .as(bob)
      .delete(at(team, `/members/${bob._id}`))
      .expect(204);
    await app.as(bob).get(at(team)).expect(404);
    expect(await membersOf(team)).toEqual([{ 'Ann Author': 'member' }, 1]);
  });

  it('are listed for a member, with what the member is in each', async () => {
    const [first, second] = [await make('Writers', ann, bob), await make('Readers', ann)];
    await make('Others');
    await change(second, { memberships: { [ann._id]: { role: 'owner' } } }).expect(204);
    const path = (user: TestUser | string) =>
      `/v1/orgs/${organization._id}/members/${typeof user === 'string' ? user : user._id}/teams`;
    const { body } = await app.as(ann).get(path(ann)).expect(200);
    expect(body).toEqual({
      count: 2,
      items: [
        { team: { ...(await read(second)), permissions: { admin: true, view: true } }, member: { role: 'owner' } },
        { team: { ...(await read(first)), permissions: { admin: false, view: true } }, member: { role: 'member' } },
      ],
    });
    const found = (await app.as(ann).get(path(ann)).query({ title: 'WRIT' }).expect(200)).body as List<{
      team: TeamBody;
    }>;
    expect(found.items.map(({ team }) => team.title)).toEqual(['Writers']);
    const part = (await app.as(ann).get(path(ann)).query({ limit: 1 }).expect(200)).body as List<{ team: TeamBody }>;
    const rest = (await app.as(ann).get(path(ann)).query({ page: part.next?.page }).expect(200)).body as List<unknown>;
    expect(rest).toMatchObject({ count: 2, items: [{ team: { title: 'Writers' } }] });
    await app.as(bob).get(path(bob)).expect(200);
    await app.as(bob).get(path(ann)).expect(403);
    expect((await app.as(ann).get(path(NOWHERE)).expect(404)).body).toEqual(NO_MEMBER);
    await app
      .as(await app.create.user())
      .get(path(ann))
      .expect(404);
  });

  it('lose who leaves the organization', async () => {
    const team = await make('Writers', ann, bob);
    await app.as(ann).delete(`/v1/orgs/${organization._id}/members/${ann._id}`).expect(204);
    expect(await membersOf(team)).toEqual([{ Bob: 'member' }, 1]);
  });

  it('count right when many join and leave at once', async () => {
    const team = await make('Writers', ann);
    const people = await Promise.all(Array.from({ length: 8 }, () => app.create.user({ in: organization })));
    const one = ({ _id }: TestUser) => at(team, `/members/${_id}`);
    await Promise.all([
      ...people.map((user) => app.as(admin).put(one(user)).expect(204)),
      change(team, { add: people.map(({ _id }) => _id) }).expect(204),
      app.as(admin).delete(one(ann)).expect(204),
    ]);
    const { body } = await app.as(admin).get(at(team, '/members')).expect(200);
    expect([(body as List<unknown>).count, (await read(team)).members]).toEqual([8, 8]);
  });

  it('count right when somebody leaves the organization while joining', async () => {
    const team = await make('Writers', ann);
    for (let round = 0; round < cases(3, 40); round++) {
      const user = await app.create.user({ in: organization });
      const [added] = await Promise.all([
        app.as(admin).put(at(team, `/members/${user._id}`)),
        app.as(user).delete(`/v1/orgs/${organization._id}/members/${user._id}`).expect(204),
      ]);
      expect([204, 404]).toContain(added.status);
      expect(await membersOf(team)).toEqual([{ Ann: 'member' }, 1]);
    }
  });

  it('that count wrongly are found by the doctor, who counts anew', async () => {
    const team = await make('Writers', ann, bob);
    const problems = async (): Promise<Problem[]> => {
      const found: Problem[] = [];
      const invariants = new Map(app.nest.get(Invariants, { strict: false }).entries());
      for await (const problem of invariants.get('every team knows how many members it has')?.() ?? [])
        found.push(problem);
      return found;
    };
    expect(await problems()).toEqual([]);
    await app.connection.collection<{ _id: string }>('teams').updateOne({ _id: team }, { $set: { members: 7 } });
    const [problem, ...others] = await problems();
    expect([problem, others]).toEqual([
      {
        where: `team ${team}`,
        what: 'it counts 7 members and has 2',
        repair: expect.any(Function) as unknown,
      },
      [],
    ]);
    await problem?.repair?.();
    expect(await problems()).toEqual([]);
  });

  it('cost a fixed number of queries, however many there are', async () => {
    const commands = () => app.commandsOf(() => app.as(admin).get(root()).expect(200));
    await make('First', ann);
    const few = await commands();
    for (let index = 0; index < 6; index++) await make(`Team ${String(index)}`, ann, bob);
    expect((await commands()).sort()).toEqual(few.sort());
  });
});
