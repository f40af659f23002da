import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Answers } from '../common/answers.js';
import { type Member, MemberSpaces } from '../organizations/index.js';
import { TeamSpaces } from '../teams/index.js';
import { CollectionsService } from './collections.service.js';
import { type SpaceAccessLevels, SpaceTally } from './space-tally.js';
import { Space } from './space.schema.js';

/** What is read of a space: all that decides about access, and no more, as there may be many. */
const ACCESS = { parent: 1, defaultLevel: 1, ...fieldsOf('users'), ...fieldsOf('teams') };

/** Tells in how many spaces members and teams have access. */
@Injectable()
export class SpaceCounts implements OnModuleInit {
  constructor(
    @InjectModel(Space.name) private readonly spaces: Model<Space>,
    private readonly collections: CollectionsService,
    private readonly answers: Answers,
  ) {}

  /** Answers what organizations and teams ask. */
  onModuleInit(): void {
    this.answers.give(MemberSpaces, { count: (organization, members) => this.ofMembers(organization, members) });
    this.answers.give(TeamSpaces, { count: (organization, teams) => this.ofTeams(organization, teams) });
  }

  /**
   * The number of spaces in which each of `members` has an effective role, by user. Two queries; spaces are read one
   * after the other.
   */
  private async ofMembers(organization: string, members: readonly Member[]): Promise<Map<string, number>> {
    const inheritance = await this.collections.inheritanceOfEach(organization, members);
    const tally = new SpaceTally(members, inheritance);
    const spaces = this.spaces.find({ organization, deletedAt: null }, ACCESS);
    for await (const space of spaces.lean<SpaceAccessLevels[]>().cursor()) tally.add(space);
    return tally.counts();
  }

  /** The number of spaces in which each of `teams` has an entry with a role, by team. One query. */
  private async ofTeams(organization: string, teams: readonly string[]): Promise<Map<string, number>> {
    const asked = new Set(teams);
    const counts = new Map<string, number>();
    const filter = { organization, deletedAt: null, 'teams.subject': { $in: [...asked] } };
    for await (const space of this.spaces.find(filter, fieldsOf('teams')).lean<Pick<Space, 'teams'>[]>().cursor()) {
      for (const { subject, role } of space.teams) {
        if (role !== null && asked.has(subject)) counts.set(subject, (counts.get(subject) ?? 0) + 1);
      }
    }
    return counts;
  }
}

function fieldsOf(grantees: string): Record<string, 1> {
  return { [`${grantees}.subject`]: 1, [`${grantees}.role`]: 1 };
}
