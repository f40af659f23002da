import { BadRequestException, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { Blobs } from '../blobs/index.js';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { inBatches } from '../database/index.js';
import type { Comparison } from './description/compare.js';
import { Describer } from './description/describer.js';
import type { Outline } from './description/outline.js';
import type { Described } from './description/tasks.js';
import type { OpenApiSpec } from './openapi-spec.schema.js';
import { OpenApiVersion, type VersionBytes } from './openapi-version.schema.js';

/** Bytes of outlines that are kept at hand, about, and parts of descriptions in comparisons that are. */
const OUTLINES = 32 * 1024 * 1024;
const PARTS = 200_000;

/** Where a version keeps bytes. */
const KEEPS = ['text', 'document', 'outline'] as const;

/** What a description had at some time, without the shapes of what is sent and answered. It never changes. */
export interface DescribedVersion {
  id: string;
  /** Id of the description. */
  spec: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  outline: Outline;
}

/** What descriptions said, and when. */
@Injectable()
export class OpenApiVersions implements OnModuleInit {
  // versions never change, so what is made of them does not either
  private readonly outlines = new LRUCache<string, DescribedVersion>({ maxSize: OUTLINES });
  private readonly comparisons = new LRUCache<string, Comparison>({ maxSize: PARTS });

  constructor(
    @InjectModel(OpenApiVersion.name) private readonly versions: Model<OpenApiVersion>,
    private readonly blobs: Blobs,
    private readonly describer: Describer,
  ) {}

  /** Has the bytes of versions stay. */
  onModuleInit(): void {
    this.blobs.keep((hashes) => this.referenced(hashes));
  }

  /** One page of the versions of `spec`, newest first. */
  list(spec: OpenApiSpec, query: ListQuery): Promise<Page<OpenApiVersion>> {
    return findPage(this.versions, { spec: spec._id }, query);
  }

  /** The version `id` of `spec`, or the newest where it is called `latest`. @throws NotFoundException when there is none. */
  async get(spec: OpenApiSpec, id: string): Promise<OpenApiVersion> {
    const found = await this.find(spec, id === 'latest' ? spec.lastVersion : id);
    if (!found) throw new NotFoundException('Version not found');
    return found;
  }

  /** The newest version of `spec`; `null` before there is one. */
  latest(spec: OpenApiSpec): Promise<OpenApiVersion | null> {
    return this.find(spec, spec.lastVersion);
  }

  /** Stores the bytes of a version to be: outside of transactions, before {@link add}. */
  async store(
    organization: string,
    text: Buffer,
    { document, outline }: Pick<Described, 'document' | 'outline'>,
  ): Promise<Record<(typeof KEEPS)[number], VersionBytes>> {
    return {
      text: await this.blobs.put(organization, text),
      document: await this.blobs.put(organization, bufferOf(document)),
      outline: await this.blobs.put(organization, bufferOf(outline)),
    };
  }

  /** Adds a version; joins a surrounding transaction. */
  async add(version: OpenApiVersion): Promise<void> {
    await this.versions.create([version]);
  }

  /** Removes every version of the description `spec`; joins a surrounding transaction. */
  async removeAll(spec: string): Promise<void> {
    await this.versions.deleteMany({ spec });
  }

  /** What the versions `ids` have, by id, without those that are gone; nothing is read for those that were read lately. */
  async described(ids: readonly string[]): Promise<Map<string, DescribedVersion>> {
    const found = new Map<string, DescribedVersion>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = this.outlines.get(id);
      if (known) found.set(id, known);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    const versions = await this.versions.find({ _id: { $in: missing } }).lean<OpenApiVersion[]>();
    for (const { _id: id, spec, createdAt, outline: stored } of versions) {
      const bytes = await this.blobs.bytes(stored.hash);
      const outline = JSON.parse(bytes.toString('utf8')) as Outline;
      const version = { id, spec, createdAt: createdAt.toISOString(), outline };
      this.outlines.set(id, version, { size: bytes.length });
      found.set(id, version);
    }
    return found;
  }

  /**
   * What `version` of `spec` has changed since its version `from`, or else the one before; of the first, everything is
   * new (decision B.13).
   *
   * @throws BadRequestException when `from` names no version, HttpException (503) when too many ask at once.
   */
  async changes(spec: OpenApiSpec, version: OpenApiVersion, from?: string): Promise<Comparison> {
    const before = await this.find(spec, from ?? version.previous);
    if (!before && from !== undefined) throw new BadRequestException('from names no version of this description');
    const key = `${before?._id ?? ''} ${version._id}`;
    const known = this.comparisons.get(key);
    if (known) return known;
    const comparison = await this.describer.compare(async () => ({
      before: before && (await this.blobs.bytes(before.document.hash)),
      after: await this.blobs.bytes(version.document.hash),
    }));
    const { added, removed, changed, breaking } = comparison;
    const size = 1 + added.length + removed.length + changed.length + breaking.length;
    this.comparisons.set(key, comparison, { size });
    return comparison;
  }

  /** Of which description each of the versions `ids` is; those that are not there are left out. One query. */
  async existing(ids: readonly string[]): Promise<Map<string, string>> {
    const found = await this.versions
      .find({ _id: { $in: [...ids] } }, { spec: 1 })
      .lean<Pick<OpenApiVersion, '_id' | 'spec'>[]>();
    return new Map(found.map(({ _id, spec }) => [_id, spec]));
  }

  /** Every version, some at a time, in the order of their ids: for checks of the whole. */
  all(): AsyncGenerator<OpenApiVersion[]> {
    return inBatches(this.versions);
  }

  /** Those of the hashes of bytes that versions refer to. */
  async referenced(hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const key of KEEPS) {
      const rows = await this.versions
        .find({ [`${key}.hash`]: { $in: hashes } }, { [key]: 1 })
        .lean<Pick<OpenApiVersion, (typeof KEEPS)[number]>[]>();
      for (const row of rows) found.add(row[key].hash);
    }
    return found;
  }

  private async find(spec: OpenApiSpec, id: string | null): Promise<OpenApiVersion | null> {
    return isId(id) ? this.versions.findOne({ _id: id, spec: spec._id }).lean<OpenApiVersion>() : null;
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
