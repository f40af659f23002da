import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import {
  type Batch,
  Batches,
  type Branch,
  Branches,
  type ChangeDto,
  type EditResult,
  WriteRaces,
} from '../../content/index.js';
import type { MergeConflict, Resolution } from '../../revisions/index.js';
import { type Space, SpacesService } from '../../spaces/index.js';
import { baseOf, type ChangeRequest } from '../change-request.schema.js';
import { ChangeRequestsService } from '../change-requests.service.js';
import { MergeRulesService } from '../merge-rules.service.js';

/** A change request and its space, as they are at one moment. */
interface Moment {
  changeRequest: ChangeRequest;
  space: Space;
}

/** What a batch of changes to a change request came to. */
export interface EditedChangeRequest extends Moment, Pick<EditResult, 'touched' | 'files'> {}

/**
 * Edits, updates and merges the content of change requests (decisions 4.3 to 4.5, B.5). Whoever comes second does it
 * again on what is there then.
 */
@Injectable()
export class ChangeRequestContentService {
  constructor(
    private readonly changeRequests: ChangeRequestsService,
    private readonly spaces: SpacesService,
    private readonly batches: Batches,
    private readonly branches: Branches,
    private readonly races: WriteRaces,
    private readonly rules: MergeRulesService,
  ) {}

  /**
   * Applies `changes` in order, all or none, as one revision of the change request.
   *
   * @throws BadRequestException naming the entry that cannot be applied, ConflictException in a state in which nothing
   * can be edited.
   */
  async edit(at: Moment, author: string, changes: ChangeDto[]): Promise<EditedChangeRequest> {
    const { changeRequest, space } = at;
    const batch = await this.batches.prepare(space.organization, changes);
    return this.write({ changeRequest, space }, (now) => this.apply(now, author, batch));
  }

  /**
   * Takes over what is new in the primary content of the space; answers the id of the revision that holds both.
   *
   * @throws ConflictException with the conflicts that `resolutions` leave, or in a state in which nothing can be edited;
   * BadRequestException for resolutions of what is not in conflict.
   */
  async update(at: Moment, author: string, resolutions: readonly Resolution[] = []): Promise<string> {
    return this.write(at, async ({ changeRequest, space }) => {
      requireEditable(changeRequest);
      const pulled = await this.branches.pull(branchOf({ changeRequest, space }), author, resolutions);
      if (pulled.kind === 'current') return changeRequest.revision;
      if (pulled.kind === 'conflicts') throw conflicting(pulled.conflicts);
      const { revision, primary } = pulled;
      const tip = { revision: revision._id, mergedAncestor: primary };
      return (await this.changeRequests.advance(changeRequest, tip, author))?.revision;
    });
  }

  /**
   * Makes the content of the change request primary content; answers the id of the revision that holds both.
   *
   * @throws ConflictException with the conflicts there are, or in a state in which nothing can be merged;
   * PreconditionFailedException when a merge rule holds it back.
   */
  async merge(at: Moment, user: string): Promise<string> {
    return this.write(at, async ({ changeRequest, space }) => {
      requireEditable(changeRequest);
      await this.rules.check(changeRequest, space, user);
      const merged = await this.branches.merge(branchOf({ changeRequest, space }), user, async ({ _id, parents }) => {
        const [primary = space.revision] = parents;
        // what the rules said of older content may not hold for what is there now
        if (primary !== space.revision) await this.rules.check(changeRequest, { ...space, revision: primary }, user);
        return this.changeRequests.markMerged(changeRequest, _id);
      });
      if (merged.kind === 'conflicts') throw conflicting(merged.conflicts);
      return merged.kind === 'merged' ? merged.revision._id : undefined;
    });
  }

  private async apply({ changeRequest, space }: Moment, author: string, batch: Batch) {
    const allow = (): void => {
      requireEditable(changeRequest);
    };
    const { revision, touched } = await this.branches.edit(branchOf({ changeRequest, space }), author, batch, allow);
    const result = { space, touched, files: batch.files };
    if (revision._id === changeRequest.revision) return { changeRequest, ...result };
    const moved = await this.changeRequests.advance(changeRequest, { revision: revision._id }, author);
    return moved ? { changeRequest: moved, ...result } : undefined;
  }

  /** Runs `work` on the change request as it is now, again where somebody else came first: then it answers `undefined`. */
  private write<T>({ changeRequest: { _id: id } }: Moment, work: (now: Moment) => Promise<T | undefined>): Promise<T> {
    return this.races.run({ id, name: 'change request' }, async () => {
      const changeRequest = await this.changeRequests.get(id);
      const space = await this.spaces.get(changeRequest.space);
      if (space.deletedAt) throw new NotFoundException('Space not found');
      return work({ changeRequest, space });
    });
  }
}

/** The content of a change request, as content knows of it. */
export function branchOf({ changeRequest, space }: Moment): Branch {
  const { _id, revision } = changeRequest;
  return { changeRequest: _id, space, revision, base: baseOf(changeRequest) };
}

/** @throws ConflictException in a state in which content stays as it is (decision 4.A). */
function requireEditable({ status }: ChangeRequest): void {
  if (status === 'archived') throw new ConflictException('The change request is archived: open it first');
  if (status === 'merged') throw new ConflictException('The change request is merged: it cannot be changed any more');
}

function conflicting(conflicts: readonly MergeConflict[]): ConflictException {
  return new ConflictException({
    message: 'The change request and the space changed the same things: settle the conflicts by an update',
    details: { conflicts },
  });
}
