import { startApp, type TestApp } from './app.js';
import { Editing } from './editing.js';
import type { TestUser } from './factories.js';

/** What a test begins with. */
export interface Given {
  /** The service, the same for all tests around. */
  app: TestApp;
  /** A new space. */
  space: Editing;
}

/** Starts the service for the tests around, with `environment`, and hands a new space to `use` before each of them. */
export function givenSpace(use: (given: Given) => void, environment: Record<string, string> = {}): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(environment);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    use({ app, space: await Editing.start(app) });
  });
}

/** An organization that a test begins with. */
export interface GivenOrganization {
  /** The service, the same for all tests around. */
  app: TestApp;
  /** A new organization. */
  organization: Awaited<ReturnType<TestApp['create']['organization']>>;
  /** Its administrator. */
  admin: TestUser;
}

/** As {@link givenSpace}, with a new organization. */
export function givenOrganization(
  use: (given: GivenOrganization) => void | Promise<void>,
  environment: Record<string, string> = {},
): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(environment);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const organization = await app.create.organization();
    await use({ app, organization, admin: organization.admin });
  });
}

/** An organization with two more people: Ann, a member with the role `read`, and Bob, a guest. */
export interface GivenPeople extends GivenOrganization {
  ann: TestUser;
  bob: TestUser;
}

/** As {@link givenOrganization}, with Ann and Bob. */
export function givenPeople(use: (given: GivenPeople) => void): void {
  givenOrganization(async (given) => {
    const { app, organization } = given;
    const ann = await app.create.user({ in: organization, displayName: 'Ann' });
    const bob = await app.create.user({ in: organization, displayName: 'Bob', role: null });
    use({ ...given, ann, bob });
  });
}
