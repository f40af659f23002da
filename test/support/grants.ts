import type { Role } from '../../src/common/roles.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { givenPeople, type GivenPeople } from './given.js';
import type { GivenOrganization } from './given.js';
import { idOf } from './things.js';

/** What a place can give to everybody. */
type Level = Role | 'inherit' | null;
/** What tests look at of an entry. */
export interface Entry {
  permission: Role | null;
  user?: { id: string; displayName: string };
  team?: { id: string; title: string };
}
/** What tests look at of a list. */
export interface List<T = Entry> {
  items: T[];
  count: number;
  next?: { page: string };
}

/** As {@link givenPeople}; answers how tests make places, and give and read entries there. */
export function givenGrants(use: (given: GivenPeople) => void) {
  let app: TestApp;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  givenPeople((given) => {
    ({ app, organization, admin } = given);
    use(given);
  });

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

  return { makeCollection, makeSpace, at, give, level, list, entries, everyone };
}
