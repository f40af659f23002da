import { Injectable, NotFoundException } from '@nestjs/common';
import { Audit, type AuditAction } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { Database } from '../database/index.js';
import {
  type ContentChanges,
  type NewRevision,
  type Revision,
  RevisionsService,
  type TreeEditor,
} from '../revisions/index.js';
import { type Space, SpacesService } from '../spaces/index.js';
import { IndexSweep } from './index-sweep.js';
import { Indexer } from './indexer.js';
import { LinkKeeper } from './links/index.js';
import { refusing } from './refusing.js';
import { WriteRaces } from './write-races.js';

/** Writes of up to that many pages are found by the very next search; larger ones when the index has caught up. */
const INDEXED_AT_ONCE = 50;

/** What a write came to. */
export interface Written<T> {
  /** The one that was made; the present one when nothing was written. */
  revision: Revision;
  result: T;
  /** Whether search and links already know of it. */
  indexed: boolean;
}

/** The next content of a space. */
export interface NextContent extends Pick<NewRevision, 'type' | 'parents' | 'author' | 'changeRequest'> {
  /** Its content key. */
  root: string;
  /** What differs from the present content. */
  changes: ContentChanges;
  /** What is to be written in the same transaction, the record of who did it at least; when it throws, nothing is. */
  also: (revision: Revision) => Promise<void>;
}

/** What somebody made of the present content; without `next`, it stays as it is. */
export interface Made<T> {
  result: T;
  next?: NextContent;
}

/**
 * Writes primary content: an edit becomes a revision, and the space's pointer moves to it together with search and
 * links, all or nothing. Who loses a race does the edit again on the new content, so that nobody's writing is lost.
 */
@Injectable()
export class ContentWriter {
  constructor(
    private readonly database: Database,
    private readonly races: WriteRaces,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly links: LinkKeeper,
    private readonly indexer: Indexer,
    private readonly sweep: IndexSweep,
    private readonly audit: Audit,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Runs `edit` on the present content of the space and publishes what it made, recorded as `action`. `edit` may run several
   * times.
   *
   * @throws NotFoundException when the space is gone, ConflictException when others kept winning; what `edit` refuses
   * as ContentError becomes a BadRequestException.
   */
  write<T>(
    id: string,
    author: string | null,
    edit: (editor: TreeEditor, space: Space) => Promise<T>,
    action: AuditAction = 'content.edit',
  ): Promise<Written<T>> {
    return this.publish(id, async (space, base) => {
      // after a transfer, what is new belongs to the organization that has the space now
      const editor = this.revisions.edit({ organization: space.organization, root: base.root });
      const result = await edit(editor, space);
      await this.links.keep(space, base, editor);
      const { root, changes } = await editor.finish();
      if (root === base.root) return { result };
      const also = async ({ _id: after }: Revision): Promise<void> => {
        const { organization } = space;
        await this.audit.record({ organization, action, id, changes: { revision: { before: base._id, after } } });
      };
      return { result, next: { type: 'edits', parents: [base._id], author, root, changes, also } };
    });
  }

  /**
   * Runs `make` on the present content of the space and publishes what it made: as a revision, with the pointer, search
   * and links. `make` may run several times. @throws as `write`, and what the transaction of `make` throws.
   */
  publish<T>(id: string, make: (space: Space, base: Revision) => Promise<Made<T>>): Promise<Written<T>> {
    return this.races.run({ id, name: 'space' }, () => this.attempt(id, make));
  }

  private async attempt<T>(
    id: string,
    make: (space: Space, base: Revision) => Promise<Made<T>>,
  ): Promise<Written<T> | undefined> {
    const space = await this.spaces.get(id);
    if (space.deletedAt) throw new NotFoundException('Space not found');
    const base = await this.revisions.get(space.revision);
    const { result, next } = await refusing(() => make(space, base));
    if (!next) return { revision: base, result, indexed: space.indexedRevision === base._id };
    const { changes, also, ...made } = next;
    const { organization } = space;
    const revision = await this.revisions.commit({ organization, space: id, ...made });
    const plan = await this.indexer.plan(base, revision, changes);
    const indexed = plan.size <= INDEXED_AT_ONCE && space.indexedRevision === base._id;
    const known = indexed ? await this.indexer.known(id, plan) : undefined;
    const moved = await this.database.transaction(async () => {
      if (!(await this.spaces.moveRevision(space, revision._id, indexed))) return false;
      await also(revision);
      const { _id, author } = revision;
      await this.events.emit('content.updated', { organization, space: id, revision: _id, author });
      if (indexed) await this.indexer.apply(revision, plan, known);
      return true;
    });
    if (!moved) return undefined;
    if (!indexed) this.sweep.notice(id);
    return { revision, result, indexed };
  }
}
