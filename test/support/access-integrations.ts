import { type AccessRow, MANAGE, PAGED } from './access-row.js';

/** Guests know of no installations. */
const INSTALLED: AccessRow = { least: 'admin', allowed: 200, hidden: true };

/** What can be done with an integration on a space or a site; `property` names it in bodies. */
const installedOn = (place: string, property: string): Record<string, AccessRow> => ({
  [`listIntegrationInstallation${place}s`]: { ...INSTALLED, ...PAGED },
  // nothing of that name
  [`installIntegrationOn${place}`]: {
    ...INSTALLED,
    allowed: 400,
    body: { [property]: 'nothing' },
    malformed: { body: {} },
  },
  [`getIntegration${place}Installation`]: INSTALLED,
  [`updateIntegration${place}Installation`]: { ...INSTALLED, body: {}, malformed: { body: { externalIds: [1] } } },
  [`uninstallIntegrationFrom${place}`]: { ...INSTALLED, allowed: 205, destroys: true },
});

/** Who may call the operations of webhooks. */
export const ACCESS_OF_WEBHOOKS: Record<string, AccessRow> = {
  listWebhooks: { least: 'admin', allowed: 200, ...PAGED },
  createWebhook: {
    least: 'admin',
    allowed: 201,
    body: { url: 'https://example.org/', events: ['comment.added'] },
    malformed: { body: { url: 'https://example.org/', events: ['everything'] } },
  },
  getWebhook: { least: 'admin', allowed: 200 },
  updateWebhook: { least: 'admin', allowed: 200, body: {}, malformed: { body: { active: null } } },
  deleteWebhook: { least: 'admin', allowed: 205, destroys: true },
  listWebhookDeliveries: { least: 'admin', allowed: 200, ...PAGED },
  redeliverWebhookDelivery: { least: 'admin', allowed: 200, destroys: true },
};

/** Who may call the operations of integrations. */
export const ACCESS_OF_INTEGRATIONS: Record<string, AccessRow> = {
  getIntegrationByName: { least: 'guest', allowed: 200 },
  unpublishIntegration: { ...MANAGE, destroys: true },
  // those that one administers: mostly none
  listIntegrationInstallations: { least: 'guest', allowed: 200, ...PAGED },
  getIntegrationInstallationById: INSTALLED,
  updateIntegrationInstallation: { ...INSTALLED, body: {}, malformed: { body: { space_selection: 'some' } } },
  uninstallIntegration: { ...INSTALLED, allowed: 205, destroys: true },
  ...installedOn('Space', 'space'),
  ...installedOn('Site', 'siteId'),
  listOrganizationInstallations: { least: 'edit', allowed: 200, ...PAGED },
};
