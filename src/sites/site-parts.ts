import { Injectable } from '@nestjs/common';
import type { Site } from './site.schema.js';

/** What stands beside the record of a site and follows it. Called within the transaction that changes the record. */
export interface SitePart {
  /** The site was changed from `before` to `after`: paths may have moved, site-spaces may be gone. */
  changed?(before: Site, after: Site): Promise<void>;
  /** The site was removed for good. */
  removed?(site: Pick<Site, '_id' | 'organization'>): Promise<void>;
}

/** The parts of sites that other records hold; each says so in `onModuleInit`. */
@Injectable()
export class SiteParts {
  private readonly parts: SitePart[] = [];

  /** Has `part` follow every site. */
  add(part: SitePart): void {
    this.parts.push(part);
  }

  /** Tells every part that a site was changed, one after the other. @throws what a part throws. */
  async changed(before: Site, after: Site): Promise<void> {
    for (const part of this.parts) await part.changed?.(before, after);
  }

  /** Tells every part that a site was removed, one after the other. @throws what a part throws. */
  async removed(site: Pick<Site, '_id' | 'organization'>): Promise<void> {
    for (const part of this.parts) await part.removed?.(site);
  }
}
