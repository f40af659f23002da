import type { ContentRef } from '../../revisions/index.js';
import type { Link } from './link.schema.js';
import { type PageTargets, targetKey } from './page-links.js';

/** By how much the number of pages that lead to a target changes. */
export interface TargetDelta {
  key: string;
  resource: string;
  /** Known where some page leads to it now. */
  ref?: ContentRef;
  pages: number;
  needing: number;
}

/** Counts what changes in the targets when links are replaced. */
export class TargetDeltas {
  private readonly deltas = new Map<string, TargetDelta>();

  /** Counts `record` out. */
  remove(record: Pick<Link, 'resource' | 'uses'>): void {
    this.count(record, -1);
  }

  /** Counts `record` in, whose targets are among `targets`. */
  add(record: Pick<Link, 'resource' | 'uses'>, targets: PageTargets['targets']): void {
    for (const delta of this.count(record, 1)) delta.ref ??= targets.get(delta.key)?.ref;
  }

  /** The targets that more or fewer pages lead to, or need. */
  changed(): TargetDelta[] {
    return [...this.deltas.values()].filter(({ pages, needing }) => pages !== 0 || needing !== 0);
  }

  private count({ resource, uses }: Pick<Link, 'resource' | 'uses'>, by: 1 | -1): TargetDelta[] {
    const needs = new Map<string, boolean>();
    for (const use of uses) {
      const key = targetKey(resource, use.to);
      needs.set(key, use.needs || needs.get(key) === true);
    }
    return [...needs].map(([key, needed]) => {
      const delta = this.deltas.get(key) ?? { key, resource, pages: 0, needing: 0 };
      this.deltas.set(key, delta);
      delta.pages += by;
      if (needed) delta.needing += by;
      return delta;
    });
  }
}
