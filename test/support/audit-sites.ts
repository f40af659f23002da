import { type AuditRow, answered, changed, type Performed, type Scene } from './audit-scene.js';

/** What no scene has anything to move beside. */
const ALONE = 'it stands where it would go: see site-structure.e2e-spec.ts';

/** A new space of the scene's organization, as a body names it. */
async function newSpace({ app, at, admin }: Scene): Promise<{ spaceId: string }> {
  const made = await app.as(admin).post(`/v1/orgs/${at.organizationId}/spaces`).send({ title: 'New' }).expect(201);
  return { spaceId: (made.body as { id: string }).id };
}

/** The space that was put on the site. */
const put = ({ body }: Performed): string => (body as { spaceId: string }).spaceId;

/** What operations on sites, their structure and their share links record. */
export const AUDIT_OF_SITES: Record<string, AuditRow> = {
  createSite: {
    action: 'site.create',
    body: { title: 'Docs' },
    resource: answered,
    changes: {
      title: { after: 'Docs' },
      type: { after: 'basic' },
      visibility: { after: 'public' },
      spaces: { after: [] },
    },
  },
  updateSiteById: {
    action: 'site.update',
    alone: true,
    settles: true,
    body: { visibility: 'unlisted' },
    resource: 'siteId',
    changes: changed('visibility', 'public', 'unlisted'),
  },
  publishSite: { action: 'site.publish', alone: true, settles: true, resource: 'siteId', changes: {} },
  unpublishSite: { nothing: 'the site is not published: see sites.e2e-spec.ts' },
  deleteSiteById: {
    action: 'site.delete',
    alone: true,
    resource: 'siteId',
    changes: { title: { before: 'Handbook' }, spaces: { before: expect.any(Array) as unknown } },
  },
  sortSiteStructure: {
    action: 'site-section.move',
    alone: true,
    settles: true,
    body: ({ at }) =>
      Promise.resolve({
        item: { type: 'site-section', id: at.siteSectionId },
        position: { after: { type: 'site-section-group', id: at.siteSectionGroupId } },
      }),
    resource: 'siteSectionId',
    changes: ({ at }: Performed) => ({ sectionGroup: { before: at.siteSectionGroupId, after: null } }),
  },
  addSectionToSite: {
    action: 'site-section.create',
    alone: true,
    body: newSpace,
    resource: answered,
    changes: {
      title: { after: 'New' },
      path: { after: 'new' },
      defaultSiteSpace: { after: expect.any(String) as unknown },
    },
  },
  updateSiteSectionById: {
    action: 'site-section.update',
    alone: true,
    settles: true,
    body: { icon: 'book' },
    resource: 'siteSectionId',
    changes: changed('icon', null, 'book'),
  },
  moveSiteSection: { nothing: ALONE },
  deleteSiteSectionById: {
    action: 'site-section.delete',
    alone: true,
    resource: 'siteSectionId',
    changes: ({ at }: Performed) => ({
      title: { before: 'Handbook' },
      path: { before: 'handbook-2' },
      defaultSiteSpace: { before: at.siteSpaceId },
      sectionGroup: { before: at.siteSectionGroupId },
    }),
  },
  addSectionGroupToSite: {
    action: 'site-section-group.create',
    alone: true,
    body: ({ at }) => Promise.resolve({ title: 'More', sections: [at.siteSectionId] }),
    resource: answered,
    changes: ({ at }: Performed) => ({ title: { after: 'More' }, sections: { after: [at.siteSectionId] } }),
  },
  updateSiteSectionGroupById: {
    action: 'site-section-group.update',
    alone: true,
    settles: true,
    body: { title: 'More' },
    resource: 'siteSectionGroupId',
    changes: changed('title', 'Group', 'More'),
  },
  moveSiteSectionGroup: {
    action: 'site-section-group.move',
    alone: true,
    settles: true,
    body: async ({ app, at, admin }) => {
      const path = `/v1/orgs/${at.organizationId}/sites/${at.siteId}/sections`;
      const { body } = await app.as(admin).get(path).expect(200);
      const [first] = (body as { items: { id: string }[] }).items;
      return { position: { before: { type: 'site-section', id: first?.id } } };
    },
    resource: 'siteSectionGroupId',
    changes: {},
  },
  addSectionToGroup: {
    action: 'site-section-group.add-section',
    alone: true,
    settles: true,
    body: async ({ app, at, admin }) => {
      const path = `/v1/orgs/${at.organizationId}/sites/${at.siteId}/sections`;
      const { body } = await app.as(admin).get(path).expect(200);
      const [first] = (body as { items: { id: string }[] }).items;
      return { sectionId: first?.id };
    },
    resource: 'siteSectionGroupId',
    changes: ({ at, body }: Performed) => ({
      sections: { before: [at.siteSectionId], after: [at.siteSectionId, (body as { sectionId: string }).sectionId] },
    }),
  },
  removeSectionFromGroup: {
    action: 'site-section-group.remove-section',
    alone: true,
    resource: 'siteSectionGroupId',
    changes: ({ at }: Performed) => changed('sections', [at.siteSectionId], []),
  },
  deleteSiteSectionGroupById: {
    action: 'site-section-group.delete',
    alone: true,
    resource: 'siteSectionGroupId',
    changes: ({ at }: Performed) => ({ title: { before: 'Group' }, sections: { before: [at.siteSectionId] } }),
  },
  addSpaceToSite: {
    action: 'site-space.create',
    alone: true,
    body: async (scene) => ({ ...(await newSpace(scene)), sectionId: scene.at.siteSectionId }),
    resource: answered,
    changes: (done: Performed) => ({
      space: { after: put(done) },
      path: { after: 'new' },
      section: { after: done.at.siteSectionId },
    }),
  },
  updateSiteSpaceById: {
    action: 'site-space.update',
    alone: true,
    settles: true,
    body: { path: 'moved' },
    resource: 'siteSpaceId',
    changes: changed('path', 'handbook', 'moved'),
  },
  moveSiteSpace: {
    action: 'site-space.move',
    alone: true,
    settles: true,
    body: async ({ app, at, admin }) => {
      const path = `/v1/orgs/${at.organizationId}/sites/${at.siteId}/site-spaces`;
      const { body } = await app.as(admin).get(path).expect(200);
      const [first] = (body as { items: { id: string }[] }).items;
      return { position: { before: { type: 'site-space', siteSpace: first?.id } } };
    },
    resource: 'siteSpaceId',
    changes: ({ at }: Performed) => ({
      path: { before: 'handbook', after: 'handbook-3' },
      section: { before: at.siteSectionId, after: expect.any(String) as unknown },
    }),
  },
  deleteSiteSpaceById: {
    action: 'site-space.delete',
    alone: true,
    resource: 'siteSpaceId',
    changes: ({ at }: Performed) => ({
      space: { before: at.spaceId },
      path: { before: 'handbook' },
      section: { before: at.siteSectionId },
    }),
  },
  createSiteShareLink: {
    action: 'share-link.create',
    body: { name: 'Partners' },
    resource: answered,
    changes: { name: { after: 'Partners' } },
  },
  updateSiteShareLinkById: {
    action: 'share-link.update',
    alone: true,
    settles: true,
    body: { active: false },
    resource: 'shareLinkId',
    changes: changed('active', true, false),
  },
  deleteSiteShareLinkById: {
    action: 'share-link.delete',
    alone: true,
    resource: 'shareLinkId',
    changes: { name: { before: 'Friends' } },
  },
  resolvePublishedContentByUrl: { nothing: 'it reads what is published' },
  searchSiteContent: { nothing: 'it reads what is published' },
};
