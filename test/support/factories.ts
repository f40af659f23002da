import type { INestApplicationContext } from '@nestjs/common';
import { newId } from '../../src/common/ids.js';
import type { Role } from '../../src/common/roles.js';
import { TokensService } from '../../src/auth/index.js';
import { type ChangeRequest, ChangeRequestsService } from '../../src/change-requests/index.js';
import { MembersService, type Organization, OrganizationsService } from '../../src/organizations/index.js';
import { type Site, SiteSettings } from '../../src/sites/index.js';
import { type Space, SpacesService } from '../../src/spaces/index.js';
import { type Team, TeamMembersService } from '../../src/teams/index.js';
import { type User, UsersService } from '../../src/users/index.js';

/** A person with a token to act with. */
export interface TestUser extends User {
  token: string;
}

/** Makes records, through the services, with what they depend on. */
export interface Factories {
  /** A person; `in` names an organization to be a member of, with `role` (`read` unless given; `null`: guest). */
  user(given?: {
    email?: string;
    displayName?: string;
    password?: string;
    in?: Organization;
    role?: Role | null;
  }): Promise<TestUser>;
  /** An organization; its administrator is `admin`, a new person unless given. */
  organization(given?: {
    title?: string;
    admin?: TestUser;
    emailDomains?: string[];
  }): Promise<Organization & { admin: TestUser }>;
  /** A team of `organization`; `members` belong to it as `member`. */
  team(given: { organization: Pick<Organization, '_id'>; title?: string; members?: TestUser[] }): Promise<Team>;
  /** A space without pages, in a new organization unless one is given; made by its administrator. */
  space(given?: {
    organization?: Organization & { admin: TestUser };
    title?: string;
    defaultLevel?: Space['defaultLevel'];
    editMode?: Space['editMode'];
  }): Promise<Space & { admin: TestUser }>;
  /** A change request of `space`, a draft without changes; made by the administrator of the space unless `by` is given. */
  changeRequest(given: {
    space: Pick<Space, '_id'> & { admin: TestUser };
    by?: TestUser;
    subject?: string;
  }): Promise<ChangeRequest>;
  /**
   * A site with `spaces` at its root, made by the administrator of `organization`; with one new space unless they are
   * given. `published` publishes it.
   */
  site(given: {
    organization: Organization & { admin: TestUser };
    spaces?: Pick<Space, '_id'>[];
    title?: string;
    visibility?: Site['visibility'];
    published?: boolean;
  }): Promise<Site>;
}

/** The factories of the application `app`. */
export function factoriesOf(app: INestApplicationContext): Factories {
  const users = app.get(UsersService, { strict: false });
  const tokens = app.get(TokensService, { strict: false });
  const members = app.get(MembersService, { strict: false });
  const organizations = app.get(OrganizationsService, { strict: false });
  const spaces = app.get(SpacesService, { strict: false });
  const teams = app.get(TeamMembersService, { strict: false });
  const changeRequests = app.get(ChangeRequestsService, { strict: false });
  const sites = app.get(SiteSettings, { strict: false });

  const create: Factories = {
    async user({
      email = `${newId().toLowerCase()}@example.org`,
      displayName = 'Ann Author',
      password,
      in: organization,
      role = 'read',
    } = {}) {
      const user = await users.create({ email, displayName, password });
      if (organization) await members.add(organization._id, user._id, role);
      return { ...user, token: (await tokens.issue({ user: user._id, kind: 'api', label: 'test' })).token };
    },
    async organization({ title = 'Acme', admin, emailDomains } = {}) {
      const owner = admin ?? (await create.user());
      return {
        ...(await organizations.create(owner._id, { title, ...(emailDomains && { emailDomains }) })),
        admin: owner,
      };
    },
    team({ organization, title = 'Writers', members: people = [] }) {
      return teams.create(
        organization._id,
        title,
        people.map(({ _id }) => _id),
      );
    },
    async space({ organization, title = 'Handbook', defaultLevel, editMode } = {}) {
      const owner = organization ?? (await create.organization());
      const space = await spaces.create(owner._id, owner.admin._id, { title });
      const changes = { ...(defaultLevel !== undefined && { defaultLevel }), ...(editMode && { editMode }) };
      return { ...(await spaces.update(space, changes)), admin: owner.admin };
    },
    changeRequest({ space, by = space.admin, subject }) {
      return changeRequests.create(space._id, by._id, subject);
    },
    async site({ organization, spaces: given, title, visibility, published = false }) {
      const ids = (given ?? [await create.space({ organization })]).map(({ _id }) => _id);
      const member = await members.get(organization._id, organization.admin._id);
      const site = await sites.create(member, {
        spaces: ids,
        ...(title !== undefined && { title }),
        ...(visibility && { visibility }),
      });
      return published ? sites.publish(site, true) : site;
    },
  };
  return create;
}
