import { owned, type Rule } from '../database/index.js';
import type { CustomizationRecord } from './customization/customization.schema.js';
import type { FormerPathRecord } from './redirects/former-path.schema.js';
import type { Site } from './site.schema.js';
import { spacesOf } from './structure/structure.js';

const OF_A_SITE = { of: ['sites'], by: 'site' } as const;
const OF_ITS_ID = { of: ['sites'], by: '_id' } as const;

/** What of sites goes where an organization goes. */
export const SITE_RECORDS: readonly Rule[] = [
  owned<Site>('sites', {
    // visitors see it
    atOnce: true,
    needs: { spaces: ({ structure, spaces }) => [...spacesOf(structure), ...spaces] },
    unique: ['proxyKey'],
    taken: (value) =>
      `another site is shown under ${value}: take the proxy off the site where the backup was made, and make it again`,
  }),
  owned<{ site: string }>('site_share_links', OF_A_SITE),
  owned<CustomizationRecord>('site_customizations', {
    ...OF_A_SITE,
    fits: ({ _id, site, siteSpace }) => _id === (siteSpace === null ? site : `${site}:${siteSpace}`),
  }),
  owned<{ site: string }>('site_redirects', OF_A_SITE),
  owned<FormerPathRecord>('site_former_paths', {
    ...OF_A_SITE,
    fits: ({ _id, site }) => _id.startsWith(`${site}:`),
  }),
  owned<{ _id: string }>('site_visitor_auth', OF_ITS_ID),
  owned<{ _id: string }>('site_adaptive_schemas', OF_ITS_ID),
];
