import { BadRequestException, Injectable } from '@nestjs/common';
import { OutsideTargets } from '../../content/index.js';
import { type ContentRef, RevisionsService } from '../../revisions/index.js';
import { SpacesService } from '../../spaces/index.js';
import type { PlacedRef } from './references.js';

/** From where references are looked at, and by whom. */
export interface RefsGround {
  /** The caller's id. */
  user: string;
  organization: string;
  /** Id of the space that references without one mean; `null`: there is none. */
  space: string | null;
}

/** Looks whether what settings refer to is there. */
@Injectable()
export class References {
  constructor(
    private readonly targets: OutsideTargets,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
  ) {}

  /**
   * Checks that each of `refs` names something that the caller may see; a few readings for all of them, and some for each
   * space that they name. Addresses are not looked up.
   * @throws BadRequestException naming the first that does not (decision 1.23).
   */
  async check(ground: RefsGround, refs: readonly PlacedRef[]): Promise<void> {
    const named = refs.filter(({ ref }) => ref.kind !== 'url');
    const files = named.flatMap(({ ref }) => (ref.kind === 'file' ? ref.file : []));
    const there = await this.filesAmong(ground.space, files);
    const others = named.filter(({ ref }) => ref.kind !== 'file');
    const found = await this.targets.find(
      ground,
      others.map(({ ref }) => inSpace(ref, ground.space)),
    );
    const missing = new Set(others.filter((_ref, index) => found[index] === undefined));
    const isThere = (placed: PlacedRef): boolean =>
      placed.ref.kind === 'file' ? there.has(placed.ref.file) : !missing.has(placed);
    const absent = named.find((placed) => !isThere(placed));
    if (absent) throw new BadRequestException(gone(absent.at, absent.ref));
  }

  private async filesAmong(space: string | null, ids: readonly string[]): Promise<Set<string>> {
    const at = ids.length === 0 || space === null ? null : await this.spaces.find(space);
    if (!at || at.deletedAt) return new Set();
    const tree = this.revisions.tree(await this.revisions.get(at.revision));
    return new Set((await tree.findFiles(ids)).keys());
  }
}

/** `ref` with the space that it means without naming it. */
function inSpace(ref: ContentRef, space: string | null): ContentRef {
  const isWithin = ref.kind === 'page' || ref.kind === 'anchor' || ref.kind === 'reusable-content';
  return isWithin && ref.space === undefined && space !== null ? { ...ref, space } : ref;
}

function gone(at: string, ref: ContentRef): string {
  const isWithin = ref.kind === 'page' || ref.kind === 'anchor' || ref.kind === 'reusable-content';
  const hint = isWithin && ref.space === undefined ? '; name its space, unless it is the one shown first' : '';
  return `${at} names no ${ref.kind} that is there for you${hint}`;
}
