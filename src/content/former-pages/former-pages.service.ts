import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { batchesOf } from '../../common/batches-of.js';
import { type ContentChanges, type ContentTree, MAX_DEPTH } from '../../revisions/index.js';
import { SpacePurge } from '../../spaces/index.js';
import { type FormerPlace, placesLeft, walk } from './former-places.js';
import { FormerPlaceRecord } from './former-place.schema.js';

/** Ids that are asked for at once. */
const BATCH = 500;

/** A page, with the path that it has now. */
export interface LocatedPage {
  id: string;
  path: string;
}

/**
 * Remembers where pages stood, so that an address that was right once still leads to its page. A page that moves leaves one
 * record, however many are below it.
 */
@Injectable()
export class FormerPages implements OnModuleInit {
  constructor(
    @InjectModel(FormerPlaceRecord.name) private readonly places: Model<FormerPlaceRecord>,
    private readonly purge: SpacePurge,
  ) {}

  /** Has what is known of a space go with it. */
  onModuleInit(): void {
    this.purge.add(async (space, limit) => {
      const found = await this.places.find({ space }, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
      await this.places.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return found.length;
    });
  }

  /** The places that pages of `space` left by `changes` of its primary content. */
  plan(space: string, { pages }: ContentChanges): Promise<FormerPlace[]> {
    return placesLeft(pages, (ids) => this.heldOnce(space, ids));
  }

  /** Remembers `left`, places in `space`; joins a surrounding transaction. */
  async remember(space: string, left: readonly FormerPlace[]): Promise<void> {
    if (left.length === 0) return;
    await this.places.bulkWrite(
      left.map(({ parent, slug, page }) => ({
        updateOne: {
          filter: { _id: idOf(space, parent, slug) },
          update: { $set: { space, parent: parent ?? '', page } },
          upsert: true,
        },
      })),
    );
  }

  /**
   * The page that the path of `slugs` once led to in `space`, whose content is `tree` now; `null`: none that is still there.
   * The number of queries grows with the length of the path alone.
   */
  async find(space: string, tree: ContentTree, slugs: readonly string[]): Promise<LocatedPage | null> {
    if (slugs.length > MAX_DEPTH) return null;
    const paths = new Map<string, string | null>();
    const pathOf = async (id: string): Promise<string | null> => {
      const known = paths.get(id);
      if (known !== undefined) return known;
      const path = (await tree.findPlaced([id])).get(id)?.path ?? null;
      paths.set(id, path);
      return path;
    };
    const now = async (parent: string | null, slug: string): Promise<string | null> => {
      const above = parent === null ? '' : await pathOf(parent);
      if (above === null) return null;
      return (await tree.findPageByPath(above === '' ? slug : `${above}/${slug}`))?.id ?? null;
    };
    const once = async (parent: string | null, slug: string): Promise<string | null> =>
      (await this.places.findById(idOf(space, parent, slug)).lean<FormerPlaceRecord>())?.page ?? null;
    const isThere = async (page: string): Promise<boolean> => (await pathOf(page)) !== null;
    const id = await walk(
      { now, once, isThere },
      slugs.map((slug) => slug.toLowerCase()),
    );
    const path = id === null ? null : await pathOf(id);
    return id !== null && path !== null ? { id, path } : null;
  }

  private async heldOnce(space: string, pages: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const batch of batchesOf(pages, BATCH)) {
      found.push(...(await this.places.distinct('parent', { space, parent: { $in: batch } })));
    }
    return found;
  }
}

function idOf(space: string, parent: string | null, slug: string): string {
  return [space, parent ?? '', slug].join(' ');
}
