import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Blobs } from '../blobs/index.js';
import { inBatches, Invariants, type Problem } from '../database/index.js';
import { SitesService } from '../sites/index.js';
import { SpacesService } from '../spaces/index.js';
import { Installation } from './installations/installation.schema.js';
import { Placement } from './installations/placement.schema.js';
import { Integration } from './integration.schema.js';
import { IntegrationsService } from './integrations.service.js';

/** Tells `doctor` what must hold between integrations, installations and what they are on. */
@Injectable()
export class IntegrationsInvariants implements OnModuleInit {
  constructor(
    @InjectModel(Integration.name) private readonly integrations: Model<Integration>,
    @InjectModel(Installation.name) private readonly installations: Model<Installation>,
    @InjectModel(Placement.name) private readonly placements: Model<Placement>,
    private readonly invariants: Invariants,
    private readonly service: IntegrationsService,
    private readonly blobs: Blobs,
    private readonly spaces: SpacesService,
    private readonly sites: SitesService,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add('the script and the images of every integration are stored', () => this.incomplete());
    this.invariants.add('every installation is one of an integration, and counts its spaces', () => this.miscounted());
    this.invariants.add('whatever an installation was put on is there, and published where it says so', () =>
      this.misplaced(),
    );
  }

  private async *incomplete(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.integrations, ['blobs'])) {
      const missing = new Set(await this.blobs.missing(batch.flatMap(({ blobs }) => blobs)));
      for (const { _id, blobs } of batch) {
        if (blobs.some((blob) => missing.has(blob))) {
          yield { where: `integration ${_id}`, what: 'its script or images are missing: publish it anew' };
        }
      }
    }
  }

  private async *miscounted(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.installations, ['integration', 'spaces'])) {
      const integrations = await this.service.byNames(batch.map(({ integration }) => integration));
      for (const { _id, integration, spaces } of batch) {
        const where = `installation ${_id}`;
        const counted = await this.placements.countDocuments({ installation: _id, kind: 'space' });
        if (!integrations.has(integration)) {
          yield { where, what: 'its integration is gone', repair: () => this.end(_id) };
        } else if (counted !== spaces) {
          const repair = async (): Promise<void> => {
            await this.installations.updateOne({ _id }, { $set: { spaces: counted } }, { timestamps: false });
          };
          yield { where, what: `it counts ${String(spaces)} spaces where ${String(counted)} are`, repair };
        }
      }
    }
  }

  private async *misplaced(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.placements, ['installation', 'kind', 'place', 'published'])) {
      const holders = await this.installations
        .find({ _id: { $in: batch.map(({ installation }) => installation) } }, { _id: 1 })
        .lean<{ _id: string }[]>();
      const known = new Set(holders.map(({ _id }) => _id));
      const idsOf = (kind: Placement['kind']) => batch.filter((one) => one.kind === kind).map(({ place }) => place);
      const spaces = await this.spaces.existing(idsOf('space'));
      const sites = await this.sites.byIds(idsOf('site'));
      for (const { _id, installation, kind, place, published } of batch) {
        const there = kind === 'space' ? spaces.has(place) : sites.has(place);
        const where = `installation ${installation} on the ${kind} ${place}`;
        const fix = (update: 'remove' | boolean) => (): Promise<void> => this.mend(_id, update);
        if (!there || !known.has(installation)) yield { where, what: 'it is on nothing', repair: fix('remove') };
        else if (kind === 'site' && (sites.get(place)?.published === true) !== published) {
          yield { where, what: 'it does not know whether the site is published', repair: fix(!published) };
        }
      }
    }
  }

  private async end(installation: string): Promise<void> {
    await this.placements.deleteMany({ installation });
    await this.installations.deleteOne({ _id: installation });
  }

  private async mend(_id: string, update: 'remove' | boolean): Promise<void> {
    if (update === 'remove') await this.placements.deleteOne({ _id });
    else await this.placements.updateOne({ _id }, { $set: { published: update } }, { timestamps: false });
  }
}
