import { isDeepStrictEqual } from 'node:util';
import { Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit } from '../../audit/index.js';
import type { AdaptiveSchema } from '../adaptive/index.js';
import { SiteParts } from '../site-parts.js';
import type { Site } from '../site.schema.js';
import { SitesService } from '../sites.service.js';
import { AdaptiveSchemaRecord } from './adaptive-schema.schema.js';

/** An adaptive schema, and when it was set. */
export interface DatedSchema {
  jsonSchema: AdaptiveSchema;
  updatedAt: Date;
}

/** The adaptive schemas of sites (decisions 3.13, 3.14). */
@Injectable()
export class AdaptiveSchemasService implements OnModuleInit {
  constructor(
    @InjectModel(AdaptiveSchemaRecord.name) private readonly schemas: Model<AdaptiveSchemaRecord>,
    private readonly sites: SitesService,
    private readonly parts: SiteParts,
    private readonly audit: Audit,
  ) {}

  /** Has the schema of a site go with it. */
  onModuleInit(): void {
    this.parts.add({
      removed: async ({ _id }) => {
        await this.schemas.deleteOne({ _id });
      },
    });
  }

  /** The schema of a site; `null`: it has none. One read. */
  async find({ _id }: Pick<Site, '_id'>): Promise<AdaptiveSchema | null> {
    const record = await this.schemas.findById(_id).lean<AdaptiveSchemaRecord>();
    return record && schemaIn(record);
  }

  /** The schema of a site. @throws NotFoundException before one was set. */
  async get({ _id }: Pick<Site, '_id'>): Promise<DatedSchema> {
    const record = await this.schemas.findById(_id).lean<AdaptiveSchemaRecord>();
    if (!record) throw new NotFoundException('The site has no adaptive schema yet');
    return { jsonSchema: schemaIn(record), updatedAt: record.updatedAt };
  }

  /** Sets the schema of a site, in place of a former one. */
  async put(site: Pick<Site, '_id'>, schema: AdaptiveSchema): Promise<DatedSchema> {
    await this.sites.change(site, async ({ _id, organization, adaptiveContent }) => {
      const before = await this.find({ _id });
      const changes = { jsonSchema: { ...(before && { before }), after: schema } };
      if (!isDeepStrictEqual(before, schema))
        await this.audit.record({ organization, action: 'adaptive-schema.update', id: _id, changes });
      const set = { text: JSON.stringify(schema) };
      await this.schemas.updateOne({ _id }, { $set: set }, { upsert: true });
      // what visitors are shown may be something else from now on
      return { adaptiveContent };
    });
    return this.get(site);
  }
}

function schemaIn({ text }: AdaptiveSchemaRecord): AdaptiveSchema {
  return JSON.parse(text) as AdaptiveSchema;
}
