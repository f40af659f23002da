import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SiteTokens, type Visitor } from '../../auth/index.js';
import { Answers } from '../../common/answers.js';
import { SecretKey } from '../../config/index.js';
import { ShareLinksService } from '../share-links/share-links.service.js';
import type { Site } from '../site.schema.js';
import { SitesService } from '../sites.service.js';
import { VisitorAuthService } from '../visitor-auth/visitor-auth.service.js';
import { readSiteToken, type SiteToken } from '../visitor-tokens/index.js';

/** Says who sends the token of a published site, every time that it is used (decision 6.5). */
@Injectable()
export class SiteTokensService implements SiteTokens, OnModuleInit {
  constructor(
    private readonly sites: SitesService,
    private readonly shareLinks: ShareLinksService,
    private readonly visitorAuth: VisitorAuthService,
    private readonly key: SecretKey,
    private readonly answers: Answers,
  ) {}

  /** Answers what every request asks. */
  onModuleInit(): void {
    this.answers.give(SiteTokens, this);
  }

  /**
   * Who reads with `token`, or `null`. One read, and one for each of the share link and the key that let the visitor in; none
   * for what is no such token.
   */
  async visitor(token: string): Promise<Omit<Visitor, 'token'> | null> {
    const read = readSiteToken(this.key, token);
    const site = read && (await this.sites.find(read.organization, read.site));
    if (!site || !isStillFor(site, read)) return null;
    const { organization, shareLink, visitorKey, claims } = read;
    if (shareLink !== undefined && !(await this.shareLinks.isActive(site._id, shareLink))) return null;
    if (visitorKey !== undefined && !(await this.visitorAuth.hasKey(site, visitorKey))) return null;
    const known = site.adaptiveContent ? claims : null;
    return { organization, site: site._id, ...(shareLink !== undefined && { shareLink }), claims: known };
  }
}

/** Whether `site` is published for whoever got `token`: it may have become narrower since. */
function isStillFor({ published, visibility }: Site, { shareLink, visitorKey }: SiteToken): boolean {
  if (!published) return false;
  if (visibility === 'share-link') return shareLink !== undefined;
  return visibility !== 'visitor-auth' || visitorKey !== undefined;
}
