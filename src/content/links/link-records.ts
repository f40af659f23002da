import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { batchesOf } from '../../common/batches-of.js';
import { Link, type LinkStatus, LinkTargetRecord, type TargetStatus } from './link.schema.js';

/** A record as a plain object. */
type Fields<T> = { [K in keyof T]: T[K] };

/** Keys that one query names at the most. */
const BATCH = 500;
/** The resources of descriptions of APIs lie from the one to before the other. */
const [SPECS, AFTER_SPECS] = ['/openapi/', '/openapi0'];

/** Which targets are wanted: from behind the key `after` on, `limit` at the most, in the order of their keys. */
export interface TargetQuery {
  status?: TargetStatus;
  after: string;
  limit: number;
}

/** Reads what the link index holds. */
@Injectable()
export class LinkRecords {
  constructor(
    @InjectModel(Link.name) private readonly links: Model<Fields<Link>>,
    @InjectModel(LinkTargetRecord.name) private readonly targets: Model<Fields<LinkTargetRecord>>,
  ) {}

  /** Targets of `space`. */
  find(space: string, { status, after, limit }: TargetQuery): Promise<LinkTargetRecord[]> {
    return this.targets
      .find({ space, ...(status && { status }), key: { $gt: after } })
      .sort({ key: 1 })
      .limit(limit)
      .lean<LinkTargetRecord[]>();
  }

  /** Those of `spaces` with pages that need a description of an API, as computed ones do. A query for each 500 of them. */
  async showingSpecs(spaces: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const batch of batchesOf(spaces, BATCH)) {
      const filter = { space: { $in: batch }, resource: { $gte: SPECS, $lt: AFTER_SPECS }, needing: { $gt: 0 } };
      const targets = await this.targets.find(filter, { space: 1 }).lean<{ space: string }[]>();
      for (const { space } of targets) found.add(space);
    }
    return found;
  }

  /** All targets of `space` that depend on who asks. */
  outside(space: string): Promise<LinkTargetRecord[]> {
    return this.targets.find({ space, status: 'outside' }).sort({ key: 1 }).lean<LinkTargetRecord[]>();
  }

  /** Targets of `space` by their keys. */
  async targetsOf(space: string, keys: readonly string[]): Promise<Map<string, LinkTargetRecord>> {
    const found = new Map<string, LinkTargetRecord>();
    for (const batch of batchesOf(keys, BATCH)) {
      const ids = batch.map((key) => `${space} ${key}`);
      for (const target of await this.targets.find({ _id: { $in: ids } }).lean<LinkTargetRecord[]>()) {
        found.set(target.key, target);
      }
    }
    return found;
  }

  /** How many targets `space` has, of `status` if given. */
  count(space: string, status?: LinkStatus): Promise<number> {
    return this.targets.countDocuments({ space, ...(status && { status }) });
  }

  /** The links of `space` to `resources`, in the order of resources and pages. */
  async linksTo(space: string, resources: readonly string[]): Promise<Link[]> {
    const found: Link[] = [];
    for (const batch of batchesOf(resources, BATCH)) {
      const filter = { space, resource: { $in: batch } };
      found.push(...(await this.links.find(filter).sort({ resource: 1, page: 1 }).lean<Link[]>()));
    }
    return found;
  }

  /** All targets of `space` that are one of `resources`, or a place in it, by their keys. */
  async targetsIn(space: string, resources: readonly string[]): Promise<Map<string, LinkTargetRecord>> {
    const found = new Map<string, LinkTargetRecord>();
    for (const batch of batchesOf(resources, BATCH)) {
      const targets = await this.targets.find({ space, resource: { $in: batch } }).lean<LinkTargetRecord[]>();
      for (const target of targets) found.set(target.key, target);
    }
    return found;
  }

  /** The links of `pages`. */
  async linksOf(space: string, pages: readonly string[]): Promise<Link[]> {
    const found: Link[] = [];
    for (const batch of batchesOf(pages, BATCH)) {
      found.push(...(await this.links.find({ space, page: { $in: batch } }).lean<Link[]>()));
    }
    return found;
  }

  /** The links of `page`. */
  linksFrom(space: string, page: string): Promise<Link[]> {
    return this.links.find({ space, page }).sort({ resource: 1 }).lean<Link[]>();
  }

  /** Links to `resource` from behind the page `after` on, `limit` at the most, in the order of pages; and all there are. */
  async backlinks(
    space: string,
    resource: string,
    { after, limit, except }: { after: string; limit: number; except?: string },
  ): Promise<{ links: Link[]; count: number }> {
    const others = except === undefined ? {} : { $ne: except };
    const all = { space, resource, page: { $gt: '', ...others } };
    const links =
      limit === 0
        ? []
        : await this.links
            .find({ space, resource, page: { $gt: after, ...others } })
            .sort({ page: 1 })
            .limit(limit)
            .lean<Link[]>();
    return { links, count: await this.links.countDocuments(all) };
  }
}
