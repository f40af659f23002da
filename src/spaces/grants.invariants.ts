import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Invariants, type Problem } from '../database/index.js';
import { MembersService } from '../organizations/index.js';
import { TeamsService } from '../teams/index.js';
import { GrantsService } from './grants.service.js';

/** Tells `doctor` what must hold between entries and those whom they are for. */
@Injectable()
export class GrantsInvariants implements OnModuleInit {
  constructor(
    private readonly invariants: Invariants,
    private readonly grants: GrantsService,
    private readonly members: MembersService,
    private readonly teams: TeamsService,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add('every entry in a space or collection is of somebody in the organization', () =>
      this.strange(),
    );
  }

  private async *strange(): AsyncGenerator<Problem> {
    for await (const place of this.grants.all()) {
      const users = place.users.map(({ subject }) => subject);
      const teams = place.teams.map(({ subject }) => subject);
      const belonging = await this.members.belonging(place.organization, users);
      const there = await this.teams.findMany(place.organization, teams);
      const strangers = users.filter((id) => !belonging.has(id));
      const gone = teams.filter((id) => !there.has(id));
      if (strangers.length + gone.length === 0) continue;
      yield {
        where: `${place.kind} ${place._id}`,
        what: `${strangers.length} of its entries are of people and ${gone.length} of teams that the organization does not have`,
        repair: () => this.grants.forget(place, strangers, gone),
      };
    }
  }
}
