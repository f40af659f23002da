import { startApp, type TestApp } from './app.js';
import { Editing } from './editing.js';

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
