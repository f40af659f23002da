import { newId } from '../../src/common/ids.js';
import { type AuditRow, answered, changed, type Performed, type Scene } from './audit-scene.js';
import { idOf } from './things.js';

const PUBLISHED = { title: 'Test', description: 'For tests', script: 'export {};' };
const organizationOf = ({ at }: Scene): Promise<object> => Promise.resolve({ organization: at.organizationId });
const integrationOf = ({ at }: Performed): object => ({ integration: { before: at.integrationName } });

/** A new space, or a new site, of the organization of the scene. */
async function made({ app, at, admin }: Scene, things: string): Promise<string> {
  const { body } = await app.as(admin).post(`/v1/orgs/${at.organizationId}/${things}`).send({}).expect(201);
  return idOf(body);
}

/** What operations on integrations record. */
export const AUDIT_OF_INTEGRATIONS: Record<string, AuditRow> = {
  publishIntegration: {
    action: 'integration.publish',
    alone: true,
    body: ({ at }) =>
      Promise.resolve({
        ...PUBLISHED,
        organization: at.organizationId,
        title: 'Other',
        scopes: ['site:script:inject'],
        secrets: { key: newId() },
      }),
    resource: 'integrationName',
    changes: {
      ...changed('version', 1, 2),
      ...changed('title', 'Test', 'Other'),
      ...changed('scopes', [], ['site:script:inject']),
    },
  },
  unpublishIntegration: {
    action: 'integration.unpublish',
    alone: true,
    resource: 'integrationName',
    changes: { version: { before: 1 }, title: { before: 'Test' }, visibility: { before: 'private' } },
  },
  installIntegration: {
    action: 'installation.create',
    alone: true,
    // one organization has it once
    body: async (scene) => {
      const { app, at, admin } = scene;
      await app
        .as(admin)
        .delete(`/v1/integrations/${at.integrationName}/installations/${at.installationId}`)
        .expect(205);
      return organizationOf(scene);
    },
    resource: answered,
    changes: ({ at }: Performed) => ({ integration: { after: at.integrationName } }),
  },
  updateIntegrationInstallation: {
    action: 'installation.update',
    alone: true,
    settles: true,
    body: { externalIds: ['T1'], site_selection: 'all' },
    resource: 'installationId',
    changes: { ...changed('externalIds', [], ['T1']), ...changed('siteSelection', 'selected', 'all') },
  },
  uninstallIntegration: {
    action: 'installation.delete',
    alone: true,
    resource: 'installationId',
    changes: integrationOf,
  },
  installIntegrationOnSpace: {
    action: 'installation.add-space',
    body: async (scene) => ({ space: await made(scene, 'spaces') }),
    resource: 'installationId',
    changes: ({ body }: Performed) => ({ space: { after: (body as { space: string }).space } }),
  },
  updateIntegrationSpaceInstallation: {
    action: 'installation.update-space',
    alone: true,
    settles: true,
    body: { externalIds: ['S1'] },
    resource: 'installationId',
    changes: ({ at }: Performed) => ({
      ...changed('space', at.spaceId, at.spaceId),
      ...changed('externalIds', [], ['S1']),
    }),
  },
  uninstallIntegrationFromSpace: {
    action: 'installation.remove-space',
    alone: true,
    resource: 'installationId',
    changes: ({ at }: Performed) => ({ space: { before: at.spaceId } }),
  },
  installIntegrationOnSite: {
    action: 'installation.add-site',
    body: async (scene) => ({ siteId: await made(scene, 'sites') }),
    resource: 'installationId',
    changes: ({ body }: Performed) => ({ site: { after: (body as { siteId: string }).siteId } }),
  },
  updateIntegrationSiteInstallation: {
    action: 'installation.update-site',
    alone: true,
    settles: true,
    body: { externalIds: ['S1'] },
    resource: 'installationId',
    changes: ({ at }: Performed) => ({
      ...changed('site', at.siteId, at.siteId),
      ...changed('externalIds', [], ['S1']),
    }),
  },
  uninstallIntegrationFromSite: {
    action: 'installation.remove-site',
    alone: true,
    resource: 'installationId',
    changes: ({ at }: Performed) => ({ site: { before: at.siteId } }),
  },
};
