import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { KeyedLock } from '../common/keyed-lock.js';
import { Database } from '../database/index.js';
import { ContentError, type Revision, RevisionsService, type TreeEditor } from '../revisions/index.js';
import { type Space, SpacesService } from '../spaces/index.js';
import { IndexSweep } from './index-sweep.js';
import { Indexer } from './indexer.js';
import { LinkKeeper } from './links/index.js';
import { WriteTurns } from './write-turns.js';

/** How often an edit is done again on what somebody else wrote meanwhile. */
const ATTEMPTS = 20;
/** After how many lost races, beside the first, other processes are asked to hold back. */
const PATIENCE = 2;
/** Edits of up to that many pages are found by the very next search; larger ones when the index has caught up. */
const INDEXED_AT_ONCE = 50;

/** What an edit came to. */
export interface Written<T> {
  revision: Revision;
  result: T;
  /** Whether search and links already know of it. */
  indexed: boolean;
}

/**
 * Writes primary content: an edit becomes a revision, and the space's pointer moves to it together with search and
 * links, all or nothing. Who loses a race does the edit again on the new content, so that nobody's writing is lost.
 */
@Injectable()
export class ContentWriter {
  private readonly lock = new KeyedLock();

  constructor(
    private readonly database: Database,
    private readonly turns: WriteTurns,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly links: LinkKeeper,
    private readonly indexer: Indexer,
    private readonly sweep: IndexSweep,
  ) {}

  /**
   * Runs `edit` on the present content of the space and publishes what it made. `edit` may run several times.
   *
   * @throws NotFoundException when the space is gone, ConflictException when others kept winning; what `edit` refuses
   * as ContentError becomes a BadRequestException.
   */
  async write<T>(
    id: string,
    author: string | null,
    edit: (editor: TreeEditor, space: Space) => Promise<T>,
  ): Promise<Written<T>> {
    return this.lock.run(id, async () => {
      let hasTurn = false;
      try {
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
          await this.turns.holdBack(id);
          const written = await this.attempt(id, author, edit);
          if (written) return written;
          await wait(Math.random() * 10 * attempt);
          if (attempt >= PATIENCE && !hasTurn) hasTurn = await this.turns.ask(id);
        }
      } finally {
        if (hasTurn) await this.turns.done(id);
      }
      throw new ConflictException('Others kept editing this space at the same moment; try again');
    });
  }

  private async attempt<T>(
    id: string,
    author: string | null,
    edit: (editor: TreeEditor, space: Space) => Promise<T>,
  ): Promise<Written<T> | undefined> {
    const space = await this.spaces.get(id);
    if (space.deletedAt) throw new NotFoundException('Space not found');
    const base = await this.revisions.get(space.revision);
    // after a transfer, what is new belongs to the organization that has the space now
    const editor = this.revisions.edit({ organization: space.organization, root: base.root });
    const { result, root, changes } = await refusing(async () => {
      const edited = await edit(editor, space);
      await this.links.keep(id, base, editor);
      return { result: edited, ...(await editor.finish()) };
    });
    if (root === base.root) return { revision: base, result, indexed: space.indexedRevision === base._id };
    const revision = await this.revisions.commit({
      organization: space.organization,
      space: id,
      type: 'edits',
      parents: [base._id],
      author,
      root,
    });
    const plan = await this.indexer.plan(base, revision, changes);
    const indexed = plan.size <= INDEXED_AT_ONCE && space.indexedRevision === base._id;
    const moved = await this.database.transaction(async () => {
      if (!(await this.spaces.moveRevision(space, revision._id, indexed))) return false;
      if (indexed) await this.indexer.apply(revision, plan);
      return true;
    });
    if (!moved) return undefined;
    if (!indexed) this.sweep.notice(id);
    return { revision, result, indexed };
  }
}

/** Does `work`; what the content rules refuse becomes an answer to the caller. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContentError) throw new BadRequestException(error.message);
    throw error;
  }
}
