import type { Site } from './site.schema.js';

/** A script that an integration has on the pages of a site (decision 3.17). */
export interface SiteScript {
  /** Address of the script. */
  script: string;
  contentSecurityPolicy?: string;
  /** Whether it may set cookies. */
  cookies: boolean;
}

/** What published sites ask about the integrations that are installed on them; their module answers. */
export abstract class SiteScripts {
  /** The scripts of `site`, in the order in which their integrations were installed. */
  abstract of(site: Pick<Site, '_id' | 'organization'>): Promise<SiteScript[]>;
}
