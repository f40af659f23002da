import { createHash } from 'node:crypto';
import { Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type Changes, changesBetween } from '../../audit/index.js';
import { randomText } from '../../common/ids.js';
import { SecretKey, seal, unseal } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { SiteParts } from '../site-parts.js';
import type { Site } from '../site.schema.js';
import { SitesService } from '../sites.service.js';
import { verifyVisitorToken, type VisitorTokenResult } from '../visitor-tokens/index.js';
import { type AuthBackend, VisitorAuth } from './visitor-auth.schema.js';

const PURPOSE = 'visitor-auth';
/** Characters of a key: 43 of 62 letters and digits are 256 bits. */
const KEY_LENGTH = 43;
/** Characters of what stands for one: 132 bits. */
const MARK_LENGTH = 22;

/** How visitors of a site sign in, with the key that their tokens are signed with. */
export interface PublishingAuth {
  backend: AuthBackend;
  privateKey: string;
  fallbackURL: string | null;
}

/** What of how visitors sign in is changed. */
export type PublishingAuthChanges = Partial<Pick<VisitorAuth, 'backend' | 'fallbackURL'>>;

type SiteRef = Pick<Site, '_id' | 'organization'>;

/** Lets visitors in who come with a token that the owner of a site has signed (decisions 6.4, B.9). */
@Injectable()
export class VisitorAuthService implements OnModuleInit {
  constructor(
    @InjectModel(VisitorAuth.name) private readonly records: Model<VisitorAuth>,
    private readonly key: SecretKey,
    private readonly database: Database,
    private readonly sites: SitesService,
    private readonly parts: SiteParts,
    private readonly audit: Audit,
  ) {}

  /** Has the key of a site go with it. */
  onModuleInit(): void {
    this.parts.add({
      removed: async ({ _id }) => {
        await this.records.deleteOne({ _id });
      },
    });
  }

  /** How visitors of `site` sign in; the key is made when it is first read. */
  async get(site: SiteRef): Promise<PublishingAuth> {
    return this.opened((await this.find(site)) ?? (await this.make(site)));
  }

  /** Changes what `changes` names; nothing, and nothing moves. */
  async update(site: SiteRef, changes: PublishingAuthChanges): Promise<PublishingAuth> {
    await this.get(site);
    return this.set(site, changes, (before) =>
      changesBetween(before, { ...before, ...changes }, ['backend', 'fallbackURL']),
    );
  }

  /** Makes a new key for `site`: tokens that were signed with the former one are refused from now on. */
  async regenerate(site: SiteRef): Promise<PublishingAuth> {
    await this.get(site);
    return this.set(site, { sealedKey: this.newKey(site) }, () => null);
  }

  /**
   * What the token `jwt` says of a visitor of `site`, where the key of the site has signed it, and what stands for that key.
   * Never throws for a bad one.
   */
  async verify(site: Pick<Site, '_id'>, jwt: string): Promise<VisitorTokenResult & { key: string }> {
    const there = await this.find(site);
    // before there is a key, nobody can have signed with it
    const result = await verifyVisitorToken(jwt, there ? this.opened(there).privateKey : '');
    return { ...result, key: there ? markOf(there) : '' };
  }

  /** Whether `key` stands for the key that `site` has now. One read. */
  async hasKey(site: Pick<Site, '_id'>, key: string): Promise<boolean> {
    const there = await this.find(site);
    return there !== null && markOf(there) === key;
  }

  /** Where visitors of `site` without a valid token are sent, or `null`. One read. */
  async fallbackURL(site: Pick<Site, '_id'>): Promise<string | null> {
    return (await this.find(site))?.fallbackURL ?? null;
  }

  /** Who signs the tokens of visitors of each of the sites `ids`. One read. */
  async backendsOf(ids: readonly string[]): Promise<Map<string, { backend: AuthBackend }>> {
    if (ids.length === 0) return new Map();
    const found = await this.records.find({ _id: { $in: [...ids] } }, { backend: 1 }).lean<VisitorAuth[]>();
    const known = new Map(found.map(({ _id, backend }) => [_id, backend]));
    return new Map(ids.map((id) => [id, { backend: known.get(id) ?? 'custom' }]));
  }

  private async find({ _id }: Pick<Site, '_id'>): Promise<VisitorAuth | null> {
    return this.records.findById(_id).lean<VisitorAuth>();
  }

  /** Makes the record of `site` with a new key. No visitor sees a difference: nobody has signed with it. */
  private make(site: SiteRef): Promise<VisitorAuth> {
    const { _id, organization } = site;
    return this.database.transaction(async () => {
      if (!(await this.sites.hold(organization, _id))) throw new NotFoundException('Site not found');
      return this.records
        .findOneAndUpdate(
          { _id },
          { $setOnInsert: { sealedKey: this.newKey(site) } },
          { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true },
        )
        .lean<VisitorAuth>()
        .orFail();
    });
  }

  /**
   * Changes the record of `site`, and raises its version: visitors may have to sign in anew.
   * @param differing What is recorded of it: nothing, and nothing is changed; `null`: that there is another key.
   */
  private async set(
    site: SiteRef,
    set: Partial<VisitorAuth>,
    differing: (before: VisitorAuth) => Changes | null,
  ): Promise<PublishingAuth> {
    await this.sites.change(site, async ({ _id: id, organization, visibility }) => {
      const before = await this.records.findById(id).lean<VisitorAuth>().orFail();
      const changes = differing(before);
      if (changes && Object.keys(changes).length === 0) return {};
      await this.records.updateOne({ _id: id }, { $set: { ...set } });
      const action = changes ? 'publishing-auth.update' : 'publishing-auth.regenerate';
      await this.audit.record({ organization, action, id, ...(changes && { changes }) });
      return { visibility };
    });
    return this.get(site);
  }

  private newKey({ _id }: Pick<Site, '_id'>): string {
    return seal(this.key, PURPOSE, _id, randomText(KEY_LENGTH));
  }

  private opened({ _id, backend, sealedKey, fallbackURL }: VisitorAuth): PublishingAuth {
    return { backend, privateKey: unseal(this.key, PURPOSE, _id, sealedKey), fallbackURL };
  }
}

/** What stands for the key of a site where the key itself may not: another for each key. */
function markOf({ sealedKey }: Pick<VisitorAuth, 'sealedKey'>): string {
  return createHash('sha256').update(sealedKey).digest('base64url').slice(0, MARK_LENGTH);
}
