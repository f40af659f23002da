import type { Space } from '../../src/spaces/index.js';
import { startApp, type TestApp } from './app.js';
import { least, type Owner, publish } from './integrations.js';

/** What tests look at of an installation. */
export interface Installed {
  id: string;
  status: string;
  spaces: number;
  externalIds: string[];
  updatedAt: string;
}

export interface InstalledList {
  items: Installed[];
  count: number;
  next?: { page: string };
}

/** What a test of installations begins with. */
export interface GivenInstallations {
  /** The service, the same for all tests around. */
  app: TestApp;
  /** Publishes; the same for all tests around. */
  owner: Owner;
  /** Installs; a new organization. */
  acme: Owner;
  /** Of a new integration, a public one. */
  name: string;
}

/**
 * Starts the service for the tests around, and hands a new integration and who is to install it to `use` before each of them.
 * Answers what they do, mostly as the administrator of the organization that installs.
 */
export function givenInstallations(use: (given: GivenInstallations) => void) {
  let app: TestApp;
  let owner: Owner;
  let acme: Owner;
  let name: string;

  beforeAll(async () => {
    app = await startApp();
    owner = await app.create.organization();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    acme = await app.create.organization();
    ({ name } = await publish(app, owner, { visibility: 'public' }));
    use({ app, owner, acme, name });
  });

  const get = async <T = InstalledList>(path: string, user = acme.admin, query: object = {}): Promise<T> =>
    (await app.as(user).get(path).query(query).expect(200)).body as T;
  const patch = (path: string, body: object, user = acme.admin) => app.as(user).patch(path).send(body);
  const post = (path: string, body: object, user = acme.admin) => app.as(user).post(path).send(body);
  const remove = (path: string, user = acme.admin) => app.as(user).delete(path);
  /** A new space of the organization that installs. */
  const spaceOf = (): Promise<Space> => app.create.space({ organization: acme });
  /** The id of a new site of it. */
  const siteOf = async (): Promise<string> => (await app.create.site({ organization: acme }))._id;
  /** Publishes the integration once more, with what differs. */
  const republish = (body: object) =>
    app
      .as(owner.admin)
      .post(`/v1/integrations/${name}`)
      .send({ ...least(owner), visibility: 'public', ...body })
      .expect(200);
  return { get, patch, post, remove, spaceOf, siteOf, republish };
}
