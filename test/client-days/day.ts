import type { TestApp } from '../support/app.js';
import type { ClientSpec } from '../support/client-spec.js';
import type { TestUser } from '../support/factories.js';
import { type PublicClient, publicClient } from '../support/public-client.js';

/** What a day of work needs. */
export interface Day {
  app: TestApp;
  /** A foreign page in Markdown. */
  page: string;
  /** The published client of `user`; what it is answered is held against its own description. */
  client(user: TestUser): PublicClient;
}

/** A day with the service `app`; `spec` looks at all answers. */
export const dayWith = (app: TestApp, spec: ClientSpec, page: string): Day => ({
  app,
  page,
  client: (user) => publicClient(app.url, user.token, spec.fetch),
});
