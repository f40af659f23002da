import { ConflictException, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, madeWith, removedWith } from '../audit/index.js';
import { Blobs } from '../blobs/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database, inBatches } from '../database/index.js';
import { MAX_SPECS, OpenApiSpec } from './openapi-spec.schema.js';
import { type DescribedVersion, OpenApiVersions } from './openapi-versions.service.js';
import { isSlug } from './slug.js';

/** Where a description comes from: an address, or the text itself. */
export type Source = { url: string; text?: undefined } | { text: string; url?: undefined };

type Stored = Pick<OpenApiSpec, 'url' | 'text'>;

const DUPLICATE = 11000;

/** The descriptions of APIs of organizations. */
@Injectable()
export class OpenApiSpecs implements OnModuleInit {
  constructor(
    @InjectModel(OpenApiSpec.name) private readonly specs: Model<OpenApiSpec>,
    private readonly versions: OpenApiVersions,
    private readonly database: Database,
    private readonly blobs: Blobs,
    private readonly events: DomainEvents,
    private readonly audit: Audit,
  ) {}

  /** Has the texts that were sent stay. */
  onModuleInit(): void {
    this.blobs.keep((hashes) => this.referenced(hashes));
  }

  /** The description `slug` of `organization`, or `null`. */
  async find(organization: string, slug: string): Promise<OpenApiSpec | null> {
    return isSlug(slug) ? this.specs.findOne({ organization, slug }).lean<OpenApiSpec>() : null;
  }

  /** The description `slug` of `organization`. @throws NotFoundException when there is none. */
  async get(organization: string, slug: string): Promise<OpenApiSpec> {
    const spec = await this.find(organization, slug);
    if (!spec) throw new NotFoundException('OpenAPI specification not found');
    return spec;
  }

  /** The descriptions that `organization` has under `slugs`, by slug. One query. */
  async findMany(organization: string, slugs: readonly string[]): Promise<Map<string, OpenApiSpec>> {
    const found = await this.specs.find({ organization, slug: { $in: slugs.filter(isSlug) } }).lean<OpenApiSpec[]>();
    return new Map(found.map((spec) => [spec.slug, spec]));
  }

  /** One page of the descriptions of `organization`, newest first. */
  list(organization: string, query: ListQuery): Promise<Page<OpenApiSpec>> {
    return findPage(this.specs, { organization }, query);
  }

  /** The newest versions of those of the descriptions `slugs` that have one, by slug. One read, but for new versions. */
  async latest(organization: string, slugs: readonly string[]): Promise<Map<string, DescribedVersion>> {
    const specs = await this.specs
      .find({ organization, slug: { $in: slugs.filter(isSlug) } }, { slug: 1, lastVersion: 1 })
      .lean<Pick<OpenApiSpec, 'slug' | 'lastVersion'>[]>();
    const versions = await this.versions.described(specs.flatMap(({ lastVersion }) => lastVersion ?? []));
    return new Map(
      specs.flatMap(({ slug, lastVersion }) => {
        const version = versions.get(lastVersion ?? '');
        return version ? [[slug, version] as const] : [];
      }),
    );
  }

  /** The version `id` of a description of `organization`, with its slug; `null` when there is none. */
  async version(organization: string, id: string): Promise<{ slug: string; version: DescribedVersion } | null> {
    const version = isId(id) ? (await this.versions.described([id])).get(id) : undefined;
    if (!version) return null;
    const spec = await this.specs.findOne({ _id: version.spec, organization }, { slug: 1 }).lean<{ slug: string }>();
    return spec && { slug: spec.slug, version };
  }

  /**
   * Makes a description that is to be looked at as soon as possible, whatever its source is worth.
   * @throws ConflictException when `slug` is taken, or the organization has as many as there may be.
   */
  async create(organization: string, slug: string, source: Source): Promise<OpenApiSpec> {
    const made = await this.make(organization, slug, await this.stored(organization, source));
    if (!made) throw new ConflictException(`slug is taken: there is a specification "${slug}" already`);
    return made;
  }

  /**
   * Gives the description `slug` another source, or makes it (decision 5.49). It is looked at as soon as possible; an
   * address is fetched again, the same one too.
   * @throws ConflictException when it would be new, and the organization has as many as there may be.
   */
  async put(organization: string, slug: string, source: Source): Promise<OpenApiSpec> {
    const stored = await this.stored(organization, source);
    for (;;) {
      const update = {
        $set: { ...stored, processingState: 'pending', dueAt: new Date() },
        $inc: { source: 1 },
      };
      const changed = await this.database.transaction(async () => {
        const before = await this.specs
          .findOneAndUpdate({ organization, slug }, update, { returnDocument: 'before' })
          .lean<OpenApiSpec>();
        if (!before) return null;
        const { _id: id } = before;
        const changes = { source: { before: named(before), after: named(stored) } };
        await this.audit.record({ organization, action: 'openapi-spec.update', id, changes });
        return this.specs.findById(id).lean<OpenApiSpec>();
      });
      // one that somebody else makes in between is there the next time
      const spec = changed ?? (await this.make(organization, slug, stored));
      if (spec) return spec;
    }
  }

  /** Removes a description with its versions (decision 5.51). @throws NotFoundException when it is gone. */
  async remove({ _id, organization, slug }: OpenApiSpec): Promise<void> {
    await this.database.transaction(async () => {
      const { deletedCount } = await this.specs.deleteOne({ _id });
      if (deletedCount === 0) throw new NotFoundException('OpenAPI specification not found');
      await this.versions.removeAll(_id);
      const changes = removedWith({ slug });
      await this.audit.record({ organization, action: 'openapi-spec.delete', id: _id, changes });
      await this.events.emit('openapi.changed', { organization, slug });
    });
  }

  /** Every description, some at a time, in the order of their ids: for checks of the whole. */
  all(): AsyncGenerator<Pick<OpenApiSpec, '_id' | 'lastVersion' | 'text'>[]> {
    return inBatches(this.specs, ['lastVersion', 'text']);
  }

  /** Those of the hashes of bytes that are texts which were sent. */
  async referenced(hashes: readonly string[]): Promise<Set<string>> {
    const specs = await this.specs.find({ text: { $in: hashes } }, { text: 1 }).lean<Pick<OpenApiSpec, 'text'>[]>();
    return new Set(specs.flatMap(({ text }) => text ?? []));
  }

  /** @returns `null` when the slug is taken. @throws ConflictException when there are as many as there may be. */
  private async make(organization: string, slug: string, stored: Stored): Promise<OpenApiSpec | null> {
    if ((await this.specs.countDocuments({ organization })) >= MAX_SPECS) {
      throw new ConflictException(`An organization has at most ${String(MAX_SPECS)} OpenAPI specifications`);
    }
    try {
      return await this.database.transaction(async () => {
        const [made] = await this.specs.create([{ organization, slug, ...stored, dueAt: new Date() }]);
        if (!made) throw new Error('The specification was not made');
        const changes = madeWith({ slug, source: named(stored) });
        await this.audit.record({ organization, action: 'openapi-spec.create', id: made._id, changes });
        return made.toObject<OpenApiSpec>();
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== DUPLICATE) throw error;
      return null;
    }
  }

  private async stored(organization: string, { url, text }: Source): Promise<Stored> {
    if (text === undefined) return { url, text: null };
    const { hash } = await this.blobs.put(organization, Buffer.from(text));
    return { url: null, text: hash };
  }
}

/** What a source is called where it is kept for long: of an address, which may hold secrets, the origin. */
function named({ url }: Stored): string {
  return url === null ? 'text' : new URL(url).origin;
}
