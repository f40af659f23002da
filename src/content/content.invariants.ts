import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Invariants, type Problem } from '../database/index.js';
import { DocumentsService, RevisionsService, type TreePage } from '../revisions/index.js';
import { type Space, SpacesService } from '../spaces/index.js';
import { Indexer } from './indexer.js';
import { LinkIndex } from './links/index.js';
import { SearchIndex } from './search/index.js';

/** Tells `doctor` what must hold between spaces, their content, search and links. */
@Injectable()
export class ContentInvariants implements OnModuleInit {
  constructor(
    private readonly invariants: Invariants,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly documents: DocumentsService,
    private readonly indexer: Indexer,
    private readonly search: SearchIndex,
    private readonly links: LinkIndex,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add('every space points to a revision that can be read whole', () => this.unreadable());
    this.invariants.add('search knows the pages of every space, and no others', () => this.misindexed());
    this.invariants.add('the links of every space are known as its content has them', () => this.mislinked());
  }

  private async *unreadable(): AsyncGenerator<Problem> {
    for await (const space of this.spaces.all()) {
      const what = await this.readThrough(space).catch((error: unknown) => String(error));
      if (what !== undefined) yield { where: `space ${space._id}`, what };
    }
  }

  /** What is wrong with the content of `space`, or `undefined`. */
  private async readThrough(space: Space): Promise<string | undefined> {
    const { byId } = await this.revisions.tree(await this.revisions.get(space.revision)).tree();
    const keys = [...byId.values()].flatMap(({ node }) => node.document ?? []);
    const missing = await this.documents.missing(keys);
    return missing.length === 0
      ? undefined
      : `${missing.length} of its texts are missing, ${missing[0] ?? ''} the first`;
  }

  private async *misindexed(): AsyncGenerator<Problem> {
    for await (const space of this.spaces.all()) {
      if (space.deletedAt) continue;
      const where = `space ${space._id}`;
      if (space.indexing) {
        yield { where, what: 'search is behind its content', repair: () => this.indexer.catchUp(space._id) };
        continue;
      }
      const { byId } = await this.revisions.tree(await this.revisions.get(space.revision)).tree();
      const wanted = [...byId.values()].filter((page) => page.node.kind === 'document' && !page.noIndex);
      if (await this.agrees(space._id, wanted)) continue;
      yield {
        where,
        what: 'search does not know its pages as they are',
        repair: () => this.indexer.rebuild(space._id),
      };
    }
  }

  private async *mislinked(): AsyncGenerator<Problem> {
    for await (const space of this.spaces.all()) {
      if (space.deletedAt || space.indexing) continue;
      const tree = this.revisions.tree(await this.revisions.get(space.revision));
      if (await this.links.agrees(space._id, tree)) continue;
      yield {
        where: `space ${space._id}`,
        what: 'the links that are known are not those of its pages',
        repair: () => this.indexer.rebuild(space._id),
      };
    }
  }

  private async agrees(space: string, wanted: TreePage[]): Promise<boolean> {
    const known = await this.search.documents(space);
    return known.size === wanted.length && wanted.every(({ node }) => known.get(node.id) === node.document);
  }
}
