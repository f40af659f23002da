import { isId } from '../common/ids.js';
import type { ReviewStatus } from './review.schema.js';

/** Rules of one set, at the most. */
export const MAX_RULES = 20;
/** People that one rule names, at the most. */
export const MAX_RULE_USERS = 50;
/** Approvals that a rule can ask for, at the most. */
export const MAX_APPROVALS = 50;
/** People who may bypass the rules of one set, at the most. */
export const MAX_BYPASS = 100;
/** People that a reason names; the others are counted. */
const NAMED = 5;

export const RULE_KINDS = ['approvals', 'all-approve', 'reviewers', 'up-to-date', 'subject-present'] as const;

/** What must hold before a change request is merged (decision B.13). */
export type MergeRule =
  | { kind: 'approvals'; count: number }
  | { kind: 'reviewers'; users: string[]; match: 'any' | 'all' }
  | { kind: 'all-approve' | 'up-to-date' | 'subject-present' };

/** What rules ask about a change request. */
export interface MergeFacts {
  /** What each reviewer said last, by their id. */
  verdicts: ReadonlyMap<string, ReviewStatus>;
  outdated: boolean;
  subject: string;
}

/** What a rule came to; `message` says what is so or, where it did not pass, what to do. */
export interface RuleResult {
  rule: MergeRule;
  passed: boolean;
  message: string;
}

/** What each of `rules` comes to for a change request, in their order. */
export function evaluateRules(rules: readonly MergeRule[], facts: MergeFacts): RuleResult[] {
  return rules.map((rule) => {
    const [message, reason] = wordsFor(rule, facts);
    return { rule, passed: reason === undefined, message: reason ?? message };
  });
}

/** What is said when `rule` passes and, when it does not, what to do. */
function wordsFor(rule: MergeRule, { verdicts, outdated, subject }: MergeFacts): [string, string?] {
  const approving = new Set([...verdicts].flatMap(([user, status]) => (status === 'approved' ? [user] : [])));
  switch (rule.kind) {
    case 'approvals': {
      const missing = rule.count - approving.size;
      const wanted = `${String(rule.count)} ${rule.count === 1 ? 'approval is' : 'approvals are'} needed`;
      if (missing <= 0) return [`${wanted} and given`];
      return ['', `${wanted}: ask ${String(missing)} more ${missing === 1 ? 'person' : 'people'} to approve`];
    }
    case 'all-approve': {
      const against = [...verdicts.keys()].filter((user) => !approving.has(user));
      if (against.length === 0) return ['Nobody asks for changes'];
      return ['', `Settle the changes that were requested, and have these people review again: ${listed(against)}`];
    }
    case 'reviewers': {
      const missing = rule.users.filter((user) => !approving.has(user));
      const passed = rule.match === 'all' ? missing.length === 0 : missing.length < rule.users.length;
      if (passed) return ['The people that the rule names approve'];
      const who = rule.match === 'all' ? 'these people' : 'one of these people';
      return ['', `Have ${who} approve: ${listed(missing)}`];
    }
    case 'up-to-date':
      return ['It is up to date', outdated ? 'Update it first: the space has newer content' : undefined];
    case 'subject-present':
      return ['It has a subject', subject.trim() === '' ? 'Give it a subject' : undefined];
  }
}

function listed(users: readonly string[]): string {
  const more = users.length - NAMED;
  return users.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

/** What is wrong with `value` as the property `rules` of a body, as a sentence; `undefined`: nothing. */
export function mistakeInRules(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_RULES) return `rules must be a list of at most ${String(MAX_RULES)}`;
  for (const [place, rule] of value.entries()) {
    const mistake = mistakeIn(rule);
    if (mistake !== undefined) return `rules.${String(place)}${mistake}`;
  }
  return undefined;
}

/** What is wrong with `value` as a rule, as a sentence that goes on after its place; `undefined`: nothing. */
function mistakeIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' must be an object';
  const rule = value as Record<string, unknown>;
  const kind = RULE_KINDS.find((one) => one === rule.kind);
  if (!kind) return `.kind must be one of: ${RULE_KINDS.join(', ')}`;
  const known = ['kind', ...(kind === 'approvals' ? ['count'] : kind === 'reviewers' ? ['users', 'match'] : [])];
  const unknown = Object.keys(rule).find((key) => !known.includes(key));
  if (unknown !== undefined) return ` must have no ${JSON.stringify(unknown.slice(0, 50))}`;
  if (kind === 'approvals')
    return isCount(rule.count) ? undefined : `.count must be a whole number from 1 to ${String(MAX_APPROVALS)}`;
  if (kind !== 'reviewers') return undefined;
  if (!isListOfUsers(rule.users, MAX_RULE_USERS) || rule.users.length === 0) {
    return `.users must be 1 to ${String(MAX_RULE_USERS)} ids of people, each once`;
  }
  return rule.match === 'any' || rule.match === 'all' ? undefined : '.match must be one of: all, any';
}

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_APPROVALS;

/** Whether `value` is a list of ids, `max` at the most, none of them twice. */
export function isListOfUsers(value: unknown, max: number): value is string[] {
  return Array.isArray(value) && value.length <= max && value.every(isId) && new Set(value).size === value.length;
}
