import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { inBatches, Invariants, type Problem } from '../database/index.js';
import { SpacesService } from '../spaces/index.js';
import { ShareLink } from './share-links/share-link.schema.js';
import { Site } from './site.schema.js';
import { SitesService } from './sites.service.js';
import { settle } from './structure/settle.js';
import { withoutSpaces } from './structure/site-spaces.js';
import { spacesOf } from './structure/structure.js';

/** Tells `doctor` what must hold between sites, their spaces and their share links. */
@Injectable()
export class SitesInvariants implements OnModuleInit {
  constructor(
    @InjectModel(Site.name) private readonly sites: Model<Site>,
    @InjectModel(ShareLink.name) private readonly shareLinks: Model<ShareLink>,
    private readonly invariants: Invariants,
    private readonly service: SitesService,
    private readonly spaces: SpacesService,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add(
      'every site carries spaces of its organization, and knows which and which of them are deleted',
      () => this.strange(),
    );
    this.invariants.add(
      'every site has one default wherever it has anything, and nothing at the address of something else',
      () => this.unsettled(),
    );
    this.invariants.add('every share link belongs to a site', () => this.orphans());
  }

  private async *strange(): AsyncGenerator<Problem> {
    for await (const { _id } of this.all()) {
      const wrong = await this.wrongOf(_id);
      if (wrong) yield { where: `site ${_id}`, what: wrong, repair: () => this.mend(_id) };
    }
  }

  /** What is wrong with the spaces of a site, or `null`. */
  private async wrongOf(_id: string): Promise<string | null> {
    const site = await this.service.findById(_id);
    if (!site) return null;
    const { gone, trashed } = await this.statesOf(site);
    if (gone.size > 0) return `${String(gone.size)} of its spaces are not in its organization, or gone`;
    if (!areEqual(spacesOf(site.structure), site.spaces)) return 'it does not know which spaces it carries';
    return areEqual(trashed, site.trashed) ? null : 'it does not know which of its spaces are in the trash';
  }

  private async mend(_id: string): Promise<void> {
    await this.service.change({ _id }, async (site) => {
      const { gone, trashed } = await this.statesOf(site);
      return { structure: withoutSpaces(site.structure, gone), trashed };
    });
  }

  /** Which of the spaces in the structure of a site are gone, or of others, and which in the trash. */
  private async statesOf({ organization, structure }: Site): Promise<{ gone: Set<string>; trashed: string[] }> {
    const ids = spacesOf(structure);
    const there = new Set(await this.spaces.ofOrganization(organization, ids));
    const live = new Set((await this.spaces.listMany(organization, ids, null)).map(({ space }) => space._id));
    return {
      gone: new Set(ids.filter((id) => !there.has(id))),
      trashed: ids.filter((id) => there.has(id) && !live.has(id)),
    };
  }

  private async *unsettled(): AsyncGenerator<Problem> {
    for await (const { _id } of this.all()) {
      const site = await this.service.findById(_id);
      if (!site || JSON.stringify(settle(site.structure)) === JSON.stringify(site.structure)) continue;
      yield {
        where: `site ${_id}`,
        what: 'a default is missing, or two of its parts have one address',
        repair: async () => {
          await this.service.change({ _id }, ({ structure }) => ({ structure: settle(structure) }));
        },
      };
    }
  }

  private async *orphans(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.shareLinks, ['site'])) {
      const there = await this.service.byIds(batch.map(({ site }) => site));
      for (const { _id, site } of batch) {
        if (there.has(site)) continue;
        yield {
          where: `share link ${_id}`,
          what: 'its site is gone',
          repair: async () => {
            await this.shareLinks.deleteOne({ _id });
          },
        };
      }
    }
  }

  private async *all(): AsyncGenerator<Pick<Site, '_id'>> {
    for await (const batch of inBatches(this.sites, ['version'])) yield* batch;
  }
}

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
