import { Injectable } from '@nestjs/common';
import { Branches } from '../content/index.js';
import type { MergeConflict } from '../revisions/index.js';
import type { Space } from '../spaces/index.js';
import { type ChangeRequest, isOutdated } from './change-request.schema.js';
import { branchOf } from './content/change-request-content.service.js';
import type { RuleResult } from './merge-rules.js';
import { MergeRulesService } from './merge-rules.service.js';

/** What a merge would meet. */
export interface Mergeability {
  /** Whether it would go through. */
  mergeable: boolean;
  outdated: boolean;
  conflicts: readonly MergeConflict[];
  rules: RuleResult[];
}

/** Tells what holds a merge back, without making it. */
@Injectable()
export class MergeabilityService {
  constructor(
    private readonly branches: Branches,
    private readonly rules: MergeRulesService,
  ) {}

  /** What a merge of `changeRequest` into its `space` by `user` would meet now. */
  async of(changeRequest: ChangeRequest, space: Space, user: string): Promise<Mergeability> {
    const { status } = changeRequest;
    const { results, allowed } = await this.rules.evaluate(changeRequest, space, user);
    const conflicts = status === 'merged' ? [] : await this.branches.conflicts(branchOf({ changeRequest, space }));
    const inState = status === 'draft' || status === 'open';
    return {
      mergeable: inState && allowed && conflicts.length === 0,
      outdated: isOutdated(changeRequest, space),
      conflicts,
      rules: results,
    };
  }
}
