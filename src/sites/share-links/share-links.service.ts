import { BadRequestException, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, madeWith, removedWith } from '../../audit/index.js';
import { isId, newId, randomText } from '../../common/ids.js';
import type { Page } from '../../common/page.dto.js';
import { findPage, type ListQuery } from '../../common/pagination.js';
import { reseal, SecretKey, seal, unseal } from '../../config/index.js';
import { Database, SealedRecords } from '../../database/index.js';
import { SiteParts } from '../site-parts.js';
import type { Site } from '../site.schema.js';
import { SitesService } from '../sites.service.js';
import { MAX_SHARE_LINKS, ShareLink } from './share-link.schema.js';

const PURPOSE = 'share-link';
/** Characters of a key: 32 of 62 letters and digits are 190 bits (decision 3.25). */
const KEY_LENGTH = 32;
/** Longest key that is looked for. */
const MAX_KEY = 128;

/** The share links of sites. */
@Injectable()
export class ShareLinksService implements OnModuleInit {
  constructor(
    @InjectModel(ShareLink.name) private readonly links: Model<ShareLink>,
    private readonly key: SecretKey,
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly sites: SitesService,
    private readonly parts: SiteParts,
    private readonly sealed: SealedRecords,
  ) {}

  /** Has the links of a site go with it, and their keys follow the key of the installation. */
  onModuleInit(): void {
    this.sealed.add('share links', {
      model: this.links,
      fields: ['sealedKey', 'keyHash'],
      reseal: ({ _id, sealedKey }) => {
        const again = reseal(this.key, PURPOSE, _id, sealedKey);
        return again === null ? null : { sealedKey: again, keyHash: this.hashOf(this.keyOf({ _id, sealedKey })) };
      },
    });
    this.parts.add({
      removed: async ({ _id: site }) => {
        await this.links.deleteMany({ site });
      },
    });
  }

  /** One page of the links of a site, newest first. */
  list({ _id: site }: Pick<Site, '_id'>, query: ListQuery): Promise<Page<ShareLink>> {
    return findPage(this.links, { site }, query);
  }

  /** Makes a link with a key of its own, active. @throws BadRequestException when the site has as many as it can. */
  async create({ _id: site, organization }: Pick<Site, '_id' | 'organization'>, name: string): Promise<ShareLink> {
    const _id = newId();
    const key = randomText(KEY_LENGTH);
    return this.database.transaction(async () => {
      if (!(await this.sites.hold(organization, site))) throw new NotFoundException('Site not found');
      if ((await this.links.countDocuments({ site })) >= MAX_SHARE_LINKS)
        throw new BadRequestException(`A site has at most ${String(MAX_SHARE_LINKS)} share links`);
      const sealedKey = seal(this.key, PURPOSE, _id, key);
      const [made] = await this.links.create([{ _id, site, name, sealedKey, keyHash: this.hashOf(key) }]);
      if (!made) throw new Error('The share link was not made');
      await this.audit.record({ organization, action: 'share-link.create', id: _id, changes: madeWith({ name }) });
      return made.toObject<ShareLink>();
    });
  }

  /** Changes what `changes` names. @throws NotFoundException when the site has no such link. */
  async update(
    { _id: site, organization }: Pick<Site, '_id' | 'organization'>,
    id: string,
    changes: { name?: string; active?: boolean },
  ): Promise<ShareLink> {
    const filter = { _id: isId(id) ? id : '', site };
    return this.database.transaction(async () => {
      const before = await this.links.findOne(filter).lean<ShareLink>();
      if (!before) throw new NotFoundException('Share link not found');
      if (Object.keys(changes).length === 0) return before;
      const set = { $set: { ...changes } };
      const after = await this.links.findOneAndUpdate(filter, set, { returnDocument: 'after' }).lean<ShareLink>();
      if (!after) throw new NotFoundException('Share link not found');
      await this.audit.recordUpdate({ organization, action: 'share-link.update', id }, [before, after], changes);
      return after;
    });
  }

  /** Removes a link: its key admits nobody from now on. @throws NotFoundException when the site has no such link. */
  async remove({ _id: site, organization }: Pick<Site, '_id' | 'organization'>, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const removed = await this.links.findOneAndDelete({ _id: isId(id) ? id : '', site }).lean<ShareLink>();
      if (!removed) throw new NotFoundException('Share link not found');
      const changes = removedWith({ name: removed.name });
      await this.audit.record({ organization, action: 'share-link.delete', id, changes });
    });
  }

  /** The active link of a site with the key `key`, or `null`. One read. */
  async accepted(site: string, key: string): Promise<ShareLink | null> {
    if (key === '' || key.length > MAX_KEY) return null;
    const link = await this.links
      .findOne({ site, keyHash: { $in: this.hashesOf(key) }, active: true })
      .lean<ShareLink>();
    // the hash was compared by an index, which takes its time as it likes
    return link && this.key.verifyStored(PURPOSE, key, link.keyHash) ? link : null;
  }

  /** Whether the link `id` of a site is there and active. One read. */
  async isActive(site: string, id: string): Promise<boolean> {
    return (await this.links.exists({ _id: id, site, active: true })) !== null;
  }

  /** Those of `sites` that have an active link with the key `key`. One read. */
  async acceptedAmong(sites: readonly string[], key: string): Promise<Set<string>> {
    if (sites.length === 0 || key === '' || key.length > MAX_KEY) return new Set();
    const filter = { site: { $in: [...sites] }, keyHash: { $in: this.hashesOf(key) }, active: true };
    const links = await this.links.find(filter).lean<ShareLink[]>();
    return new Set(links.flatMap(({ site, keyHash }) => (this.key.verifyStored(PURPOSE, key, keyHash) ? site : [])));
  }

  /** The key of the link `id` of a site while it is active, else `null`. One read. */
  async activeKey(site: string, id: string): Promise<string | null> {
    const link = await this.links.findOne({ _id: id, site, active: true }).lean<ShareLink>();
    return link && this.keyOf(link);
  }

  /** The key of a link. @throws Error when it was encrypted with another key of the installation. */
  keyOf({ _id, sealedKey }: Pick<ShareLink, '_id' | 'sealedKey'>): string {
    return unseal(this.key, PURPOSE, _id, sealedKey);
  }

  /** What a link may be found by while the key of the installation is being replaced. */
  private hashesOf(key: string): string[] {
    return this.key.signatures(PURPOSE, key);
  }

  private hashOf(key: string): string {
    return this.key.sign(PURPOSE, key);
  }
}
