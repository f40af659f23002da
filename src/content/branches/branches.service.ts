import { Injectable } from '@nestjs/common';
import { type MergeConflict, type Resolution, type Revision, RevisionsService } from '../../revisions/index.js';
import type { Space } from '../../spaces/index.js';
import { type Batch, Batches } from '../changes/batches.service.js';
import type { Touched } from '../changes/touched.js';
import { ContentWriter, type Made } from '../content.writer.js';
import { LinkKeeper } from '../links/index.js';
import { refusing } from '../refusing.js';

/** A change request's content, as far as content knows of it. */
export interface Branch {
  /** Id of the change request. */
  changeRequest: string;
  space: Space;
  /** Id of the revision at its tip. */
  revision: string;
  /** Id of the revision that it has in common with primary content: the last that was pulled, else the first. */
  base: string;
}

/** What pulling primary content into a branch came to; `primary`: id of the revision that was pulled. */
export type Pulled =
  | { kind: 'updated'; revision: Revision; primary: string }
  | { kind: 'current' }
  | { kind: 'conflicts'; conflicts: readonly MergeConflict[] };

/** What merging a branch came to; `lost`: the caller's part gave up. */
export type Merged =
  | { kind: 'merged'; revision: Revision }
  | { kind: 'conflicts'; conflicts: readonly MergeConflict[] }
  | { kind: 'lost' };

/** The contents that are merged. */
interface Sides {
  base: Revision;
  /** The tip of the branch. */
  ours: Revision;
  /** Primary content. */
  theirs: Revision;
}

/** Ends the transaction of a merge whose caller gave up. */
class GivenUp extends Error {}

/**
 * Content that is worked on beside primary content (decisions 4.3 to 4.5). What is written here are revisions; of the
 * pointers only that of the space moves, in a merge.
 */
@Injectable()
export class Branches {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly batches: Batches,
    private readonly links: LinkKeeper,
    private readonly writer: ContentWriter,
  ) {}

  /**
   * Applies `batch` to the tip: makes an `edits` revision, or answers the tip where nothing changes. `revert_page` goes
   * back to the base by itself. `allow` may refuse, by throwing, what could be applied.
   *
   * @throws BadRequestException naming the entry that cannot be applied.
   */
  async edit(
    { changeRequest, space, revision, base }: Branch,
    author: string,
    batch: Batch,
    allow?: () => void,
  ): Promise<{ revision: Revision; touched: Touched[] }> {
    const tip = await this.revisions.get(revision);
    return refusing(async () => {
      const editor = this.revisions.edit({ organization: space.organization, root: tip.root });
      const touched = await this.batches.apply(batch, editor, { revision: tip, before: base });
      allow?.();
      await this.links.keep(space, tip, editor);
      const { root } = await editor.finish();
      if (root === tip.root) return { revision: tip, touched };
      const made = { organization: space.organization, space: space._id, author, root, changeRequest };
      return { revision: await this.revisions.commit({ ...made, type: 'edits', parents: [tip._id] }), touched };
    });
  }

  /**
   * Pulls primary content, as `branch.space` has it, into the branch: makes an `update` revision, unless both sides
   * changed the same and `resolutions` do not settle all of it (decision 4.5).
   *
   * @throws BadRequestException for resolutions of what is not in conflict, or that do not fit.
   */
  async pull(branch: Branch, author: string, resolutions: readonly Resolution[] = []): Promise<Pulled> {
    const { space, changeRequest } = branch;
    const sides = await this.sides(branch, space);
    if (sides.theirs._id === branch.base && resolutions.length === 0) return { kind: 'current' };
    return refusing(async () => {
      const merged = await this.combine(space, sides, resolutions);
      if (merged.conflicts) return { kind: 'conflicts', conflicts: merged.conflicts };
      const { ours, theirs } = sides;
      const made = { organization: space.organization, space: space._id, author, root: merged.root, changeRequest };
      const parents = [ours._id, theirs._id];
      const revision = await this.revisions.commit({ ...made, type: 'update', parents });
      return { kind: 'updated', revision, primary: theirs._id };
    });
  }

  /** What a merge would meet, without making it. */
  async conflicts(branch: Branch): Promise<readonly MergeConflict[]> {
    const sides = await this.sides(branch, branch.space);
    const { organization } = branch.space;
    // with a time of its own, asking again writes nothing new
    const merged = await this.revisions.merge(sides, { organization, now: sides.ours.createdAt });
    return merged.conflicts ?? [];
  }

  /**
   * Merges the branch into primary content: makes a `merge` revision and moves the space to it, in one transaction with
   * `also`, which answers `false` to give up. Nothing is changed then, nor when there are conflicts. Merges anew when
   * somebody else wrote to primary content meanwhile.
   *
   * @throws ConflictException when others kept writing.
   */
  async merge(branch: Branch, author: string, also: (revision: Revision) => Promise<boolean>): Promise<Merged> {
    try {
      const make = (space: Space): Promise<Made<readonly MergeConflict[]>> => this.next(branch, space, author, also);
      const { revision, result } = await this.writer.publish(branch.space._id, make);
      return result.length > 0 ? { kind: 'conflicts', conflicts: result } : { kind: 'merged', revision };
    } catch (error) {
      if (error instanceof GivenUp) return { kind: 'lost' };
      throw error;
    }
  }

  private async next(
    branch: Branch,
    space: Space,
    author: string,
    also: (revision: Revision) => Promise<boolean>,
  ): Promise<Made<readonly MergeConflict[]>> {
    const sides = await this.sides(branch, space);
    const { ours, theirs } = sides;
    const merged = await this.combine(space, sides);
    if (merged.conflicts) return { result: merged.conflicts };
    return {
      result: [],
      next: {
        type: 'merge',
        parents: [theirs._id, ours._id],
        author,
        changeRequest: branch.changeRequest,
        root: merged.root,
        changes: await this.revisions.diff(theirs, merged),
        also: async (revision) => {
          if (!(await also(revision))) throw new GivenUp();
        },
      },
    };
  }

  private async sides({ base, revision }: Branch, space: Space): Promise<Sides> {
    const [ours, theirs] = [await this.revisions.get(revision), await this.revisions.get(space.revision)];
    return { base: await this.revisions.get(base), ours, theirs };
  }

  /** Both sides as one content, in which their links lead where they did; or why there is none. */
  private async combine(
    space: Space,
    sides: Sides,
    resolutions: readonly Resolution[] = [],
  ): Promise<{ root: string; conflicts?: undefined } | { conflicts: readonly MergeConflict[] }> {
    const { organization } = space;
    const merged = await this.revisions.merge(sides, { organization, resolutions });
    // the links of each side are right in its own content
    const isOneSide = merged.root === sides.ours.root || merged.root === sides.theirs.root;
    if (merged.conflicts || isOneSide) return merged;
    const editor = this.revisions.edit({ organization, root: merged.root });
    await this.links.keepMerged(space, sides, merged, editor);
    return { root: (await editor.finish()).root };
  }
}
