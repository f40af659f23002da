import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { inBatches, Invariants, type Problem } from '../database/index.js';
import { CustomizationRecord } from './customization/customization.schema.js';
import { FormerPathRecord } from './redirects/former-path.schema.js';
import { Redirect } from './redirects/redirect.schema.js';
import { AdaptiveSchemaRecord } from './schema/adaptive-schema.schema.js';
import { Site } from './site.schema.js';
import { SitesService } from './sites.service.js';
import { VisitorAuth } from './visitor-auth/visitor-auth.schema.js';

/** Tells `doctor` what must hold between sites and their customizations, redirects, schemas and keys. */
@Injectable()
export class SiteSettingsInvariants implements OnModuleInit {
  constructor(
    @InjectModel(Site.name) private readonly sites: Model<Site>,
    @InjectModel(CustomizationRecord.name) private readonly customizations: Model<CustomizationRecord>,
    @InjectModel(Redirect.name) private readonly redirects: Model<Redirect>,
    @InjectModel(FormerPathRecord.name) private readonly formerPaths: Model<FormerPathRecord>,
    @InjectModel(VisitorAuth.name) private readonly visitorAuth: Model<VisitorAuth>,
    @InjectModel(AdaptiveSchemaRecord.name) private readonly schemas: Model<AdaptiveSchemaRecord>,
    private readonly invariants: Invariants,
    private readonly service: SitesService,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add(
      'every site counts its redirects and knows which of its site-spaces have settings of their own',
      () => this.miscounted(),
    );
    this.invariants.add('everything that is set for a site belongs to one', () => this.orphans());
  }

  private async *miscounted(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.sites, ['redirects'])) {
      for (const { _id } of batch) {
        const wrong = await this.wrongOf(_id);
        if (!wrong) continue;
        yield {
          where: `site ${_id}`,
          what: 'its redirects or the settings of its site-spaces are not those that it knows of',
          repair: async () => {
            await this.service.change({ _id }, async () => (await this.wrongOf(_id)) ?? {});
          },
        };
      }
    }
  }

  /** What a site should know of its redirects and customizations, where it knows something else. */
  private async wrongOf(_id: string): Promise<Pick<Site, 'redirects' | 'customized'> | null> {
    const site = await this.sites.findById(_id).lean<Site>();
    if (!site) return null;
    const redirects = await this.redirects.countDocuments({ site: _id });
    const records = await this.customizations
      .find({ site: _id }, { siteSpace: 1 })
      .lean<Pick<CustomizationRecord, 'siteSpace'>[]>();
    const customized = records.flatMap(({ siteSpace }) => siteSpace ?? []);
    const isRight = redirects === site.redirects && String(customized.sort()) === String([...site.customized].sort());
    return isRight ? null : { redirects, customized };
  }

  private async *orphans(): AsyncGenerator<Problem> {
    yield* this.orphansIn(this.redirects, 'redirect', ({ site }) => site);
    yield* this.orphansIn(this.formerPaths, 'former path', ({ site }) => site);
    yield* this.orphansIn(this.customizations, 'customization', ({ site }) => site);
    yield* this.orphansIn(this.visitorAuth, 'key of visitors', ({ _id }) => _id);
    yield* this.orphansIn(this.schemas, 'adaptive schema', ({ _id }) => _id);
  }

  private async *orphansIn<T extends { _id: string; site?: string }>(
    model: Model<T>,
    name: string,
    siteOf: (record: T) => string,
  ): AsyncGenerator<Problem> {
    for await (const batch of inBatches(model, ['site'])) {
      const records = batch as T[];
      const there = await this.service.byIds(records.map(siteOf));
      for (const record of records) {
        if (there.has(siteOf(record))) continue;
        yield {
          where: `${name} ${record._id}`,
          what: 'its site is gone',
          repair: async () => {
            await model.deleteOne({ _id: record._id });
          },
        };
      }
    }
  }
}
