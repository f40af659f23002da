import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Answers } from '../common/answers.js';
import type { Role } from '../common/roles.js';
import { Urls } from '../common/urls.js';
import { type InvitedSpace, InvitedSpaces, type Member, OrganizationsService } from '../organizations/index.js';
import { SpacePublications } from './space-publications.js';
import { GrantsService } from './grants.service.js';
import { SpacesService } from './spaces.service.js';
import { toSpace } from './space.view.js';

/** Tells of the spaces that links invite to, and lets those in who join by one. */
@Injectable()
export class InvitedSpacesService implements OnModuleInit {
  constructor(
    private readonly spaces: SpacesService,
    private readonly grants: GrantsService,
    private readonly organizations: OrganizationsService,
    private readonly publications: SpacePublications,
    private readonly urls: Urls,
    private readonly answers: Answers,
  ) {}

  /** Answers what organizations ask. */
  onModuleInit(): void {
    this.answers.give(InvitedSpaces, {
      see: (organization, spaces, viewer) => this.see(organization, spaces, viewer),
      admit: (space, user, level) => this.admit(space, user, level),
    });
  }

  private async see(id: string, spaces: readonly string[], viewer: Member | null): Promise<Map<string, InvitedSpace>> {
    const organization = await this.organizations.settings(id);
    const listed = await this.spaces.listMany(id, spaces, viewer);
    const published = await this.publications.of(listed.map(({ space }) => space));
    return new Map(
      listed.map(({ space, role, level }) => [
        space._id,
        {
          space: toSpace(space, { role, level, organization, urls: this.urls, publication: published.get(space._id) }),
          role,
        },
      ]),
    );
  }

  private async admit(id: string, user: string, role: Role | null): Promise<void> {
    await this.grants.put({ kind: 'space', _id: id }, { users: [user], role });
  }
}
