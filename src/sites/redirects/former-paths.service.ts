import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { SiteParts } from '../site-parts.js';
import type { Site } from '../site.schema.js';
import { FormerPathRecord } from './former-path.schema.js';
import { type FormerPath, type Lead, leadsOf, movedBetween } from './former-paths.js';

/** Places with one segment that are read for an address. */
const MAX_READ = 50;

/** Remembers where the parts of sites stood: every change of a path leaves a redirect (domain 5.1). */
@Injectable()
export class FormerPaths implements OnModuleInit {
  constructor(
    @InjectModel(FormerPathRecord.name) private readonly records: Model<FormerPathRecord>,
    private readonly parts: SiteParts,
  ) {}

  /** Follows every change of a site. */
  onModuleInit(): void {
    this.parts.add({
      changed: (before, after) => this.remember(before, after),
      removed: async ({ _id: site }) => {
        await this.records.deleteMany({ site });
      },
    });
  }

  /** What an address with these `segments` below the base of `site` may lead to, or may have led to. Three reads at most. */
  async leads({ _id: site, structure }: Pick<Site, '_id' | 'structure'>, segments: readonly string[]): Promise<Lead[]> {
    const paths = new Set(['', ...segments.slice(0, 2)]);
    const former = await Promise.all([...paths].map((path) => this.at(site, path)));
    return leadsOf(structure, former.flat(), segments);
  }

  /** What stood at a place with this segment, the latest first. */
  private at(site: string, path: string): Promise<FormerPathRecord[]> {
    return this.records.find({ site, path }).sort({ at: -1 }).limit(MAX_READ).lean<FormerPathRecord[]>();
  }

  private async remember({ _id: site, structure: before }: Site, { structure: after }: Site): Promise<void> {
    const moved = before === after ? [] : movedBetween(before, after);
    if (moved.length === 0) return;
    const at = new Date();
    await this.records.bulkWrite(
      moved.map((place) => ({
        updateOne: { filter: { _id: idOf(site, place) }, update: { $set: { site, ...place, at } }, upsert: true },
      })),
    );
  }
}

function idOf(site: string, { parent, path, item }: FormerPath): string {
  return [site, parent, path, item].join(':');
}
