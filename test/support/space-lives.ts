import type { Role } from '../../src/common/roles.js';
import type { Organization } from '../../src/organizations/index.js';
import type { Space } from '../../src/spaces/index.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';

/** What tests look at of a space. */
export type SpaceAnswer = Record<string, unknown> & {
  id: string;
  permissions: Record<string, boolean>;
  urls: { location: string };
};

/** A space of an organization in which somebody holds each of some roles. */
export interface SharedSpace<R extends Role> {
  organization: Organization & { admin: TestUser };
  space: Space;
  users: Record<R, TestUser>;
  path: string;
}

/** Makes spaces that are shared, and reads and changes them. */
export class SpaceLives {
  constructor(private readonly app: TestApp) {}

  /** A new space, with somebody for each of `roles`. */
  async shared<R extends Role>(...roles: R[]): Promise<SharedSpace<R>> {
    const organization = await this.app.create.organization();
    const space = await this.app.create.space({ organization });
    const users = {} as Record<R, TestUser>;
    for (const role of roles) users[role] = await this.app.create.user({ in: organization, role });
    return { organization, space, users, path: `/v1/spaces/${space._id}` };
  }

  /** The space as `user` reads it. */
  async read(user: TestUser, id: string): Promise<SpaceAnswer> {
    return (await this.app.as(user).get(`/v1/spaces/${id}`).expect(200)).body as SpaceAnswer;
  }

  /** Changes fields of the record, past HTTP. */
  async set(space: Space, fields: Partial<Space>): Promise<void> {
    await this.app.connection.collection<Space>('spaces').updateOne({ _id: space._id }, { $set: fields });
  }
}
