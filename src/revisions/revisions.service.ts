import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { deepFreeze } from '../common/deep-freeze.js';
import { newId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { toChanges, type ContentChanges } from './changes.js';
import { diffMaps } from './chunk-diff.js';
import { emptyMap } from './chunk-edit.js';
import { ChunkMap } from './chunk-map.js';
import { ChunksService } from './chunks.service.js';
import { ContentTree } from './content-tree.js';
import { DocumentsService } from './documents.service.js';
import { mergeContent, type MergeResult, type Resolution } from './merge/index.js';
import { readPageTree, type PageTree } from './page-tree.js';
import { Revision, type RevisionGit, type RevisionType } from './revision.schema.js';
import { TreeEditor } from './tree-editor.js';

/** What a new revision is made of. */
export interface NewRevision {
  organization: string;
  space: string;
  type: RevisionType;
  /** Ids of the revisions it was made from. */
  parents: string[];
  /** Content key of what it holds, from an editor or another revision. */
  root: string;
  author: string | null;
  changeRequest?: string | null;
  git?: RevisionGit | null;
}

/** The three contents of a merge. */
export interface MergedRevisions {
  /** The common ancestor. */
  base: Pick<Revision, 'root'>;
  /** The change request. */
  ours: Pick<Revision, 'root'>;
  /** Primary content. */
  theirs: Pick<Revision, 'root'>;
}

/** How to merge. */
export interface MergeOptions {
  /** The organization that the result is written for: that of the space. */
  organization: string;
  /** How conflicts are settled (decision 4.5). */
  resolutions?: readonly Resolution[];
  /** When the merge is made. */
  now?: Date;
}

/** Memory for trees of pages, bytes. */
const CACHE = 32 * 1024 * 1024;
const CACHED_REVISIONS = 2000;

/**
 * Revisions and what they hold. All it writes is immutable and refers only to what is there, so that a crash leaves
 * nothing but records that nobody refers to. Which revision a space shows is a pointer that others move.
 */
@Injectable()
export class RevisionsService {
  private readonly revisionsById = new LRUCache<string, Revision>({ max: CACHED_REVISIONS });
  private readonly trees = new LRUCache<string, PageTree>({
    maxSize: CACHE,
    sizeCalculation: (tree) => tree.size + 1000,
  });
  private readonly reading = new Map<string, Promise<PageTree>>();
  private readonly insert: (revision: Revision) => Promise<void>;

  constructor(
    @InjectModel(Revision.name) private readonly revisions: Model<Revision>,
    private readonly chunks: ChunksService,
    private readonly documents: DocumentsService,
    database: Database,
  ) {
    this.insert = database.inserter(revisions);
  }

  /** The revision `id`, frozen, or `null`. Whether it belongs to the space that was asked about is for the caller to see. */
  async find(id: string): Promise<Revision | null> {
    const cached = this.revisionsById.get(id);
    if (cached !== undefined) return cached;
    const revision = await this.revisions.findOne({ _id: id }).lean<Revision | null>();
    if (revision !== null) this.revisionsById.set(id, deepFreeze(revision));
    return revision;
  }

  /** The revision `id`. @throws NotFoundException when there is none. */
  async get(id: string): Promise<Revision> {
    const revision = await this.find(id);
    if (revision === null) throw new NotFoundException('Revision not found');
    return revision;
  }

  /** The revisions `ids` that are there, by id. */
  async findMany(ids: readonly string[]): Promise<Map<string, Revision>> {
    const revisions = await this.revisions.find({ _id: { $in: [...ids] } }).lean<Revision[]>();
    return new Map(revisions.map((revision) => [revision._id, deepFreeze(revision)]));
  }

  /** One page of the revisions of a space, those of its change requests included, newest first. */
  history(space: string, query: ListQuery): Promise<Page<Revision>> {
    return findPage(this.revisions, { space }, query);
  }

  /** Makes the first revision of a space, which holds nothing. */
  async createFirst({
    organization,
    space,
    author,
  }: Pick<NewRevision, 'organization' | 'space' | 'author'>): Promise<Revision> {
    const empty = emptyMap(organization);
    await this.chunks.of(organization).write([empty]);
    return this.commit({ organization, space, type: 'edits', parents: [], root: empty.chunk.id, author });
  }

  /**
   * Makes a revision, later than its parents. Moving the pointer to it is for the caller, in one transaction with what must
   * agree.
   */
  async commit(revision: NewRevision): Promise<Revision> {
    const parents = await Promise.all(revision.parents.map((id) => this.find(id)));
    // the history goes by time: neither the same millisecond nor the clock of another process turns it round
    const after = Math.max(0, ...parents.map((parent) => (parent?.createdAt.getTime() ?? 0) + 1));
    const createdAt = new Date(Math.max(Date.now(), after));
    const made = { _id: newId(), changeRequest: null, git: null, ...revision, createdAt };
    await this.insert(made);
    return deepFreeze(made);
  }

  /** Removes up to `limit` revisions of a space that is purged; answers how many there were. */
  async removeOf(space: string, limit: number): Promise<number> {
    const found = await this.revisions.find({ space }, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
    await this.revisions.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }

  /** Reads the content of `revision`. */
  tree({ root }: Pick<Revision, 'root'>): ContentTree {
    const map = new ChunkMap(this.chunks, root);
    return new ContentTree(
      map,
      () => this.pageTree(map),
      () => this.trees.get(root),
    );
  }

  /** Opens an editor over the content of `base`; `now` is when the changes are made. */
  edit({ organization, root }: Pick<Revision, 'organization' | 'root'>, now = new Date()): TreeEditor {
    return new TreeEditor(this.chunks.of(organization), organization, root, now);
  }

  /** What differs between the contents of two revisions; costs what changed. */
  async diff(before: Pick<Revision, 'root'>, after: Pick<Revision, 'root'>): Promise<ContentChanges> {
    return toChanges(await diffMaps(this.chunks, before.root, after.root));
  }

  /**
   * Merges two contents that come from one, as `mergeContent` says, and answers the content key of the result with what
   * differs from `theirs`, or the conflicts. Making a revision of it is for the caller. @throws as `mergeContent`
   */
  merge({ base, ours, theirs }: MergedRevisions, options: MergeOptions): Promise<MergeResult> {
    const { organization, resolutions, now = new Date() } = options;
    const texts = {
      read: (keys: readonly string[]) => this.documents.markdowns(keys),
      write: async (markdowns: readonly string[]) =>
        (await this.documents.putMany(organization, markdowns)).map(({ _id }) => _id),
    };
    const context = { store: this.chunks.of(organization), scope: organization, now, texts };
    return mergeContent(context, { base: base.root, ours: ours.root, theirs: theirs.root, resolutions });
  }

  /** The tree of all pages: from memory, or read once for all who ask for it meanwhile. */
  private async pageTree(map: ChunkMap): Promise<PageTree> {
    const cached = this.trees.get(map.root);
    if (cached !== undefined) return cached;
    const underWay = this.reading.get(map.root);
    if (underWay !== undefined) return underWay;
    const reading = readPageTree(map).finally(() => this.reading.delete(map.root));
    this.reading.set(map.root, reading);
    const tree = await reading;
    this.trees.set(map.root, tree);
    return tree;
  }
}
