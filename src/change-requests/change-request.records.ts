import { owned, type Rule } from '../database/index.js';
import type { ChangeRequest } from './change-request.schema.js';
import type { MergeRuleSet } from './merge-rules.schema.js';
import type { Review } from './review.schema.js';

/** What of change requests goes where an organization goes. */
export const CHANGE_REQUEST_RECORDS: readonly Rule[] = [
  owned<ChangeRequest>('change_requests', {
    of: ['spaces'],
    by: 'space',
    needs: {
      revisions: ({ revision, revisionInitial, revisionMergedAncestor, revisionMerged }) => [
        revision,
        revisionInitial,
        revisionMergedAncestor,
        revisionMerged,
      ],
    },
    people: ({ createdBy, contributors, requestedReviewers }) => [
      createdBy,
      ...contributors.map(({ user }) => user),
      ...requestedReviewers.flatMap(({ user, requestedBy }) => [user, requestedBy]),
    ],
  }),
  owned<Review>('reviews', {
    of: ['spaces'],
    by: 'space',
    needs: { change_requests: ({ changeRequest }) => [changeRequest], revisions: ({ revision }) => [revision] },
    people: ({ reviewer, requestedBy }) => [reviewer, requestedBy],
  }),
  owned<MergeRuleSet>('merge_rules', {
    of: ['organizations', 'spaces'],
    by: '_id',
    people: ({ bypass, rules }) => [...bypass, ...rules.flatMap((rule) => ('users' in rule ? rule.users : []))],
  }),
];
