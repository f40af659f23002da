import { type AccessRow, PAGED } from './access-row.js';

/** Guests do not see a site without a space in which they have a role. */
const SITE = { least: 'read', allowed: 200, hidden: true } as const;
const SITES = { least: 'create', allowed: 200, hidden: true } as const;
const MOVE = { malformed: { body: { position: { before: 5 } } } };

/** Who may call the operations of sites. */
export const ACCESS_OF_SITES: Record<string, AccessRow> = {
  listSites: { least: 'guest', allowed: 200, malformed: { query: { published: 'yes' } } },
  createSite: { least: 'create', allowed: 201, body: {}, malformed: { body: { spaces: 'all' } } },
  getSiteById: SITE,
  updateSiteById: { ...SITES, body: {}, malformed: { body: { basename: 'A' } } },
  deleteSiteById: { ...SITES, allowed: 205, destroys: true },
  publishSite: SITES,
  // after it: the others are about a site that is not published
  unpublishSite: SITES,
  getSiteStructure: { ...SITE, malformed: { query: { shareKey: ['a', 'b'] } } },
  // nothing of that name
  sortSiteStructure: {
    ...SITES,
    allowed: 400,
    body: { item: { type: 'site-space', id: 'nothing' }, position: {} },
    malformed: { body: { item: { type: 'page', id: 'a' }, position: {} } },
  },
  listSiteSections: { ...SITE, ...PAGED },
  // no space of that name
  addSectionToSite: { ...SITES, allowed: 400, body: { spaceId: 'nothing' }, malformed: { body: {} } },
  updateSiteSectionById: { ...SITES, body: {}, malformed: { body: { title: 'A' } } },
  deleteSiteSectionById: { ...SITES, allowed: 205, destroys: true },
  moveSiteSection: { ...SITES, ...MOVE },
  listSiteSectionGroups: { ...SITE, ...PAGED },
  addSectionGroupToSite: { ...SITES, allowed: 201, body: { title: 'More' }, malformed: { body: { title: '' } } },
  updateSiteSectionGroupById: { ...SITES, body: {}, malformed: { body: { title: null } } },
  deleteSiteSectionGroupById: { ...SITES, allowed: 205, destroys: true },
  moveSiteSectionGroup: { ...SITES, ...MOVE },
  // no section of that name
  addSectionToGroup: { ...SITES, allowed: 400, body: { sectionId: 'nothing' }, malformed: { body: {} } },
  removeSectionFromGroup: { ...SITES, allowed: 205, destroys: true },
  listSiteSpaces: { ...SITE, malformed: { query: { default: 1 } } },
  addSpaceToSite: { ...SITES, allowed: 400, body: { spaceId: 'nothing' }, malformed: { body: { spaceId: 1 } } },
  updateSiteSpaceById: { ...SITES, body: {}, malformed: { body: { path: 'A b' } } },
  deleteSiteSpaceById: { ...SITES, allowed: 205, destroys: true },
  moveSiteSpace: { ...SITES, ...MOVE },
  listSiteShareLinks: { ...SITES, ...PAGED },
  createSiteShareLink: { ...SITES, allowed: 201, body: { name: '' }, malformed: { body: {} } },
  updateSiteShareLinkById: { ...SITES, body: {}, malformed: { body: { active: 'no' } } },
  deleteSiteShareLinkById: { ...SITES, allowed: 205, destroys: true },
  getSiteCustomizationById: SITE,
  updateSiteCustomizationById: { ...SITES, body: {}, malformed: { body: { styling: 5 } } },
  getSiteSpaceCustomizationById: SITE,
  overrideSiteSpaceCustomizationById: { ...SITES, body: {}, malformed: { body: { styling: null } } },
  deleteSiteSpaceCustomizationById: { ...SITES, allowed: 205, destroys: true },
  listSiteRedirects: { ...SITE, ...PAGED },
  // no section of that name
  createSiteRedirect: {
    ...SITES,
    allowed: 400,
    body: { source: '/a', destination: { kind: 'site-section', siteSectionId: 'nothing' } },
    malformed: { body: {} },
  },
  updateSiteRedirectById: { ...SITES, body: {}, malformed: { body: { source: null } } },
  deleteSiteRedirectById: { ...SITES, allowed: 205, destroys: true },
  getSitePublishingAuthById: SITES,
  updateSitePublishingAuthById: { ...SITES, body: {}, malformed: { body: { backend: 'saml' } } },
  regenerateSitePublishingAuthById: SITES,
  // after it: there is none before
  updateSiteAdaptiveSchema: {
    ...SITES,
    body: { jsonSchema: { type: 'object', properties: {} } },
    malformed: { body: {} },
  },
  getSiteAdaptiveSchema: SITE,
  getPublishedContentSite: SITE,
  // no redirect
  getSiteRedirectBySource: {
    ...SITE,
    allowed: 404,
    query: { source: '/gone' },
    malformed: { query: { source: 'gone' } },
  },
  searchSiteContent: {
    ...SITE,
    body: { query: 'word', mode: 'all' },
    malformed: { body: { query: 'word', mode: 'some' } },
  },
};
