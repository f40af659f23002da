import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, Invariants, type Problem } from '../database/index.js';
import { TeamMembershipsService } from '../organizations/index.js';
import { TeamsService } from './teams.service.js';

/** Tells `doctor` what must hold between teams and the members of organizations. */
@Injectable()
export class TeamsInvariants implements OnModuleInit {
  constructor(
    private readonly invariants: Invariants,
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly memberships: TeamMembershipsService,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add('every team knows how many members it has', () => this.miscounted());
  }

  private async *miscounted(): AsyncGenerator<Problem> {
    for await (const { _id, members } of this.teams.all()) {
      const count = await this.memberships.count(_id);
      if (count === members) continue;
      yield {
        where: `team ${_id}`,
        what: `it counts ${members} members and has ${count}`,
        repair: () => this.count(_id),
      };
    }
  }

  private async count(team: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.teams.setCount(team, await this.memberships.count(team));
    });
  }
}
