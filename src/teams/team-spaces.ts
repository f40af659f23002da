/** What teams ask about the spaces they have entries in; spaces answer. */
export abstract class TeamSpaces {
  /**
   * In how many spaces of `organization`, without those in the trash, each of `teams` has an entry with a role, by team;
   * those that have none are left out (decision 3.46). One query.
   */
  abstract count(organization: string, teams: readonly string[]): Promise<Map<string, number>>;
}
