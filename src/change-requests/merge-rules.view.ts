import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { CONFLICT_KINDS, type ConflictKind, type Json } from '../revisions/index.js';
import type { Mergeability } from './mergeability.service.js';
import { MAX_APPROVALS, MAX_RULE_USERS, type MergeRule } from './merge-rules.js';

const shape = { type: 'object', additionalProperties: false } as const;
const kind = (...values: string[]) => ({ kind: { type: 'string', enum: values } });

/** The closed shapes of a rule, for the description. */
export const RULE = {
  oneOf: [
    {
      ...shape,
      required: ['kind', 'count'],
      properties: { ...kind('approvals'), count: { type: 'integer', minimum: 1, maximum: MAX_APPROVALS } },
    },
    {
      ...shape,
      required: ['kind', 'users', 'match'],
      properties: {
        ...kind('reviewers'),
        users: { type: 'array', minItems: 1, maxItems: MAX_RULE_USERS, items: { type: 'string' } },
        match: { type: 'string', enum: ['any', 'all'] },
      },
    },
    { ...shape, required: ['kind'], properties: kind('all-approve', 'up-to-date', 'subject-present') },
  ],
};

/** The merge rules of an organization. */
export class OrganizationMergeRulesView {
  /** All of them must pass. */
  @ApiProperty({ type: 'array', items: RULE })
  rules!: MergeRule[];
  /** Ids of the people who may merge although a rule fails. */
  bypass!: string[];
}

/** The merge rules of a space. */
export class SpaceMergeRulesView extends OrganizationMergeRulesView {
  /** Whether the rules of the organization hold too. */
  inherit!: boolean;
}

/** What a rule comes to for a change request. */
export class RuleResultView {
  @ApiProperty(RULE)
  rule!: MergeRule;
  passed!: boolean;
  /** What is so; where the rule does not pass, what to do. */
  message!: string;
}

/** The description of a property's value, which can be anything. */
const ANY_VALUE: ApiPropertyOptions = {
  nullable: true,
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
};

/** Something that both sides changed in ways that do not go together. */
export class MergeConflictView {
  /** Id of the page; `file` or `reusableContent` stand in its place for those. */
  page?: string;
  file?: string;
  reusableContent?: string;
  /** Path of a page, name or title of others. */
  path?: string;
  @ApiProperty({ enum: CONFLICT_KINDS })
  kind!: ConflictKind;
  /** With `property`: the one that was set differently. */
  property?: string;
  /** The value that both started from. */
  @ApiPropertyOptional(ANY_VALUE)
  base?: Json;
  /** The value in the change request. */
  @ApiPropertyOptional(ANY_VALUE)
  ours?: Json;
  /** The value in primary content. */
  @ApiPropertyOptional(ANY_VALUE)
  theirs?: Json;
}

/** Whether a change request can be merged, and what holds it back. */
export class MergeabilityView {
  /** Whether a merge by you would go through, as far as rules, conflicts and its state go. */
  mergeable!: boolean;
  /** Whether the space has content that it has not pulled. */
  outdated!: boolean;
  conflicts!: MergeConflictView[];
  /** What each rule that holds in the space comes to; the rules of the organization come first. */
  rules!: RuleResultView[];
}

/** Shapes the rules of an organization. */
export function toOrganizationMergeRules({ rules, bypass }: OrganizationMergeRulesView): OrganizationMergeRulesView {
  return { rules, bypass };
}

/** Shapes the rules of a space. */
export function toSpaceMergeRules({ inherit, rules, bypass }: SpaceMergeRulesView): SpaceMergeRulesView {
  return { inherit, rules, bypass };
}

/** Shapes what a merge would meet. */
export function toMergeability({ mergeable, outdated, conflicts, rules }: Mergeability): MergeabilityView {
  return { mergeable, outdated, conflicts: [...conflicts], rules };
}
