import { type AuditRow, answered, changed, type Performed } from './audit-scene.js';

const SCHEMA = { type: 'object', properties: {}, additionalProperties: false };
/** Where the redirect of each scene leads. */
const destination = ({ at }: Performed): object => ({ kind: 'site-section', siteSectionId: at.siteSectionId });

/** What operations on the settings of sites record. */
export const AUDIT_OF_SITE_SETTINGS: Record<string, AuditRow> = {
  updateSiteCustomizationById: {
    action: 'site.customize',
    alone: true,
    settles: true,
    body: { styling: { theme: 'bold' }, title: 'Ours' },
    resource: 'siteId',
    changes: { styling: { after: { theme: 'bold' } }, title: { after: 'Ours' } },
  },
  overrideSiteSpaceCustomizationById: {
    action: 'site-space.customize',
    alone: true,
    settles: true,
    body: { pdf: { enabled: false } },
    resource: 'siteSpaceId',
    changes: { pdf: { after: { enabled: false } } },
  },
  // those that are set are in a test of its own: nothing is recorded where there are none
  deleteSiteSpaceCustomizationById: { nothing: 'the scene has no overrides: see site-customization.e2e-spec.ts' },
  createSiteRedirect: {
    action: 'site-redirect.create',
    body: ({ at }) =>
      Promise.resolve({ source: '/new', destination: { kind: 'site-section', siteSectionId: at.siteSectionId } }),
    resource: answered,
    changes: (done: Performed) => ({ source: { after: '/new' }, destination: { after: destination(done) } }),
  },
  updateSiteRedirectById: {
    action: 'site-redirect.update',
    alone: true,
    settles: true,
    body: { source: '/older' },
    resource: 'siteRedirectId',
    changes: changed('source', '/old', '/older'),
  },
  deleteSiteRedirectById: {
    action: 'site-redirect.delete',
    alone: true,
    resource: 'siteRedirectId',
    changes: (done: Performed) => ({ source: { before: '/old' }, destination: { before: destination(done) } }),
  },
  updateSitePublishingAuthById: {
    action: 'publishing-auth.update',
    alone: true,
    settles: true,
    body: { backend: 'integration', fallbackURL: 'https://example.org/login' },
    resource: 'siteId',
    changes: {
      backend: { before: 'custom', after: 'integration' },
      fallbackURL: { before: null, after: 'https://example.org/login' },
    },
  },
  regenerateSitePublishingAuthById: {
    action: 'publishing-auth.regenerate',
    resource: 'siteId',
    changes: {},
  },
  updateSiteAdaptiveSchema: {
    action: 'adaptive-schema.update',
    alone: true,
    settles: true,
    body: { jsonSchema: SCHEMA },
    resource: 'siteId',
    changes: { jsonSchema: { after: SCHEMA } },
  },
};
