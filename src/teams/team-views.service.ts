import { Injectable } from '@nestjs/common';
import { Answers } from '../common/answers.js';
import type { Member } from '../organizations/index.js';
import type { Team } from './team.schema.js';
import { TeamSpaces } from './team-spaces.js';
import { type TeamView, toTeam } from './team.view.js';

/** Teams as the API returns them, for whole lists at once. */
@Injectable()
export class TeamViews {
  private readonly spaces: () => TeamSpaces;

  constructor(answers: Answers) {
    this.spaces = answers.ask(TeamSpaces);
  }

  /** `teams`, all of one organization, as `member` sees them, in their order. One query at most. */
  async of(teams: readonly Team[], member: Member | null): Promise<TeamView[]> {
    const [first] = teams;
    if (!first) return [];
    const ids = teams.map(({ _id }) => _id);
    const counts = await this.spaces().count(first.organization, ids);
    return teams.map((team) => toTeam(team, { member, spaces: counts.get(team._id) ?? 0 }));
  }

  /** `team` as `member` sees it. One query. */
  async one(team: Team, member: Member | null): Promise<TeamView> {
    const counts = await this.spaces().count(team.organization, [team._id]);
    return toTeam(team, { member, spaces: counts.get(team._id) ?? 0 });
  }
}
