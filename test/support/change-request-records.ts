import { type ChangeRequest, ChangeRequestsService } from '../../src/change-requests/index.js';
import type { Space } from '../../src/spaces/index.js';
import { startApp, type TestApp } from './app.js';
import type { TestUser } from './factories.js';

/** What tests look at of a change request. */
export interface Body {
  id: string;
  number: number;
  status: string;
  subject: string;
  revision: string;
  createdAt: string;
  updatedAt: string;
}
/** What tests look at of a list. */
export interface List {
  items: Body[];
  count: number;
  next?: { page: string };
}

/** Starts the service for the tests around, and hands it to `use`; answers how they make and read change requests. */
export function givenChangeRequests(use: (given: { app: TestApp; service: ChangeRequestsService }) => void) {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    use({ app, service: app.nest.get(ChangeRequestsService, { strict: false }) });
  });
  afterAll(() => app.close());

  /** A space of an organization in which somebody holds each of `roles`. */
  async function shared<R extends string>(...roles: R[]) {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const users = {} as Record<R, TestUser>;
    for (const role of roles) users[role] = await app.create.user({ in: organization, role: role as never });
    return { organization, space, users, admin: organization.admin, path: `/v1/spaces/${space._id}/change-requests` };
  }

  /** How many change requests a space counts: all of them, open ones, drafts. */
  const counters = async (space: Pick<Space, '_id'>) => {
    const found = await app.connection.collection<Space>('spaces').findOne({ _id: space._id });
    return [found?.changeRequests, found?.changeRequestsOpen, found?.changeRequestsDraft];
  };
  /** Sets fields past the service. */
  const set = (id: string, fields: Partial<ChangeRequest>) =>
    app.connection.collection<ChangeRequest>('change_requests').updateOne({ _id: id }, { $set: fields });
  const read = async (user: TestUser, path: string): Promise<Body> =>
    (await app.as(user).get(path).expect(200)).body as Body;

  return { shared, counters, set, read };
}
