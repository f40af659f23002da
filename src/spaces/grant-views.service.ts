import { Injectable } from '@nestjs/common';
import { mapPage, type Page } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import { type Member, PeopleService } from '../organizations/index.js';
import { TeamsService, TeamViews } from '../teams/index.js';
import type { Grant } from './grant.schema.js';
import type { TeamPermissionPage, UserPermissionPage } from './grant.view.js';
import type { Effective } from './grants.service.js';

/** Entries as the API returns them, for whole lists at once. */
@Injectable()
export class GrantViews {
  constructor(
    private readonly seen: PeopleService,
    private readonly teams: TeamsService,
    private readonly teamViews: TeamViews,
  ) {}

  /** A page of entries of people, as `viewer` sees them. Three queries. */
  async ofUsers(page: Page<Grant>, viewer: string): Promise<UserPermissionPage> {
    return this.people(
      mapPage(page, ({ subject, role }) => ({ user: subject, role })),
      viewer,
    );
  }

  /** A page of people with an effective role, as `viewer` sees them. Three queries. */
  async everyone(page: Page<Effective>, viewer: string): Promise<UserPermissionPage> {
    return this.people(
      mapPage(page, ({ member: { user }, role }) => ({ user, role })),
      viewer,
    );
  }

  /** A page of entries of teams of `organization`, as its member `viewer` sees them. Two queries. */
  async ofTeams(page: Page<Grant>, organization: string, viewer: Member | null): Promise<TeamPermissionPage> {
    const ids = page.items.map(({ subject }) => subject);
    const found = await this.teams.findMany(organization, ids);
    const views = new Map((await this.teamViews.of([...found.values()], viewer)).map((view) => [view.id, view]));
    const items = page.items.flatMap(({ subject, role }) => {
      const team = views.get(subject);
      return team ? [{ permission: role, team }] : [];
    });
    return { ...page, items };
  }

  /** Those whose accounts are gone are left out. */
  private async people(page: Page<{ user: string; role: Role | null }>, viewer: string): Promise<UserPermissionPage> {
    const ids = page.items.map(({ user }) => user);
    const people = await this.seen.seenBy(viewer, ids);
    const items = page.items.flatMap(({ user: id, role }) => {
      const user = people.get(id);
      return user ? [{ permission: role, user }] : [];
    });
    return { ...page, items };
  }
}
