import { BadRequestException, Injectable, PreconditionFailedException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit } from '../audit/index.js';
import { Database } from '../database/index.js';
import { MembersService } from '../organizations/index.js';
import type { Space } from '../spaces/index.js';
import { type ChangeRequest, isOutdated } from './change-request.schema.js';
import { evaluateRules, type MergeRule, type RuleResult } from './merge-rules.js';
import { MergeRuleSet } from './merge-rules.schema.js';
import { ReviewsService } from './reviews.service.js';

/** Whose rules are meant. */
export interface RulesOwner {
  of: MergeRuleSet['of'];
  /** Id of the organization or space. */
  id: string;
  /** Id of the organization whose members the rules may name. */
  organization: string;
}

/** What is set for an organization or a space. */
export type GivenRules = Pick<MergeRuleSet, 'rules' | 'bypass'> & Partial<Pick<MergeRuleSet, 'inherit'>>;

/** What the rules that hold for a change request came to. */
export interface RulesOutcome {
  results: RuleResult[];
  /** Whether a merge is let through: every rule passes, or the caller may bypass them. */
  allowed: boolean;
}

/** The rules that hold merges back (decision B.13). None is set by default. */
@Injectable()
export class MergeRulesService {
  constructor(
    @InjectModel(MergeRuleSet.name) private readonly sets: Model<MergeRuleSet>,
    private readonly members: MembersService,
    private readonly reviews: ReviewsService,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  /** The rules of the organization or space `id`; where nobody set any, none, and those of the organization inherited. */
  async get(id: string): Promise<Required<GivenRules>> {
    return (await this.sets.findById(id).lean<MergeRuleSet>()) ?? { inherit: true, rules: [], bypass: [] };
  }

  /**
   * Sets the rules of an organization or a space in place of the former ones.
   * @throws BadRequestException naming whoever is no member of the organization.
   */
  async put(
    { of, id, organization }: RulesOwner,
    { inherit = true, rules, bypass }: GivenRules,
  ): Promise<Required<GivenRules>> {
    const named = rules.flatMap((rule) => (rule.kind === 'reviewers' ? rule.users : []));
    const members = await this.members.belonging(organization, [...new Set([...named, ...bypass])]);
    requireMembers('rules', named, members);
    requireMembers('bypass', bypass, members);
    const set = { inherit, rules, bypass };
    return this.database.transaction(async () => {
      const before = await this.get(id);
      await this.sets.updateOne({ _id: id }, { $set: { of, ...set } }, { upsert: true });
      await this.audit.recordUpdate({ organization, action: `${of}.set-merge-rules`, id }, [before, set], set);
      return set;
    });
  }

  /** What the rules that hold for a change request of `space` come to, for the caller `user`. Three reads at most. */
  async evaluate(changeRequest: ChangeRequest, space: Space, user: string): Promise<RulesOutcome> {
    const { rules, bypass } = await this.holding(space);
    const verdicts = await this.reviews.verdicts(changeRequest);
    const { subject } = changeRequest;
    const results = evaluateRules(rules, { verdicts, outdated: isOutdated(changeRequest, space), subject });
    return { results, allowed: bypass.includes(user) || results.every(({ passed }) => passed) };
  }

  /**
   * Lets a merge by `user` pass.
   * @throws PreconditionFailedException saying what to do about each rule that fails, unless `user` may bypass them.
   */
  async check(changeRequest: ChangeRequest, space: Space, user: string): Promise<void> {
    const { results, allowed } = await this.evaluate(changeRequest, space, user);
    if (allowed) return;
    const failing = results.filter(({ passed }) => !passed).map(({ rule, message }) => `${rule.kind}: ${message}`);
    throw new PreconditionFailedException(`Merge rules hold this back. ${failing.join('. ')}`);
  }

  /** Removes the rules of a space that is purged; answers how many sets there were. */
  async removeOf(space: string): Promise<number> {
    const { deletedCount } = await this.sets.deleteOne({ _id: space });
    return deletedCount;
  }

  /** The rules that hold in `space`: those of the organization, unless it does without them, then its own. One read. */
  private async holding({
    _id,
    organization,
  }: Space): Promise<{ rules: readonly MergeRule[]; bypass: readonly string[] }> {
    const sets = await this.sets.find({ _id: { $in: [organization, _id] } }).lean<MergeRuleSet[]>();
    const own = sets.find((set) => set._id === _id);
    const above = own?.inherit === false ? undefined : sets.find((set) => set._id === organization);
    const holding = [above, own].filter((set) => set !== undefined);
    return { rules: holding.flatMap(({ rules }) => rules), bypass: holding.flatMap(({ bypass }) => bypass) };
  }
}

/** @throws BadRequestException naming those of `users` who are not among `members`. */
function requireMembers(property: string, users: readonly string[], members: ReadonlySet<string>): void {
  const strangers = users.filter((user) => !members.has(user));
  if (strangers.length === 0) return;
  throw new BadRequestException(`${property} names who is no member of the organization: ${strangers.join(', ')}`);
}
