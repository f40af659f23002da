import { createHash } from 'node:crypto';
import { AUDIT_OF_CONTENT } from './audit-content.js';
import { AUDIT_OF_INTEGRATIONS } from './audit-integrations.js';
import { type AuditRow, answered, changed, type Performed } from './audit-scene.js';
import { AUDIT_OF_SITE_SETTINGS } from './audit-site-settings.js';
import { AUDIT_OF_SITES } from './audit-sites.js';
import { idOf } from './things.js';

const OF_A_PERSON = 'it is about a person, and no organization';
const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaa';
/** What stands for an invitation link, whose id is a secret. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 20);

/** Every operation that is no GET, by name. */
export const AUDIT: Record<string, AuditRow> = {
  register: {
    action: 'member.join',
    by: 'nobody',
    async body({ app, at, admin }) {
      const email = 'invited@example.org';
      const invites = app.as(admin).post(`/v1/orgs/${at.organizationId}/invites`);
      const { invitations } = (await invites.send({ emails: [email] }).expect(200)).body as {
        invitations: { invite: string }[];
      };
      return { email, displayName: 'Ian Invited', password: 'correct horse', invite: invitations[0]?.invite };
    },
    resource: ({ answer }) => idOf((answer as { user: unknown }).user),
    actor: ({ answer }) => idOf((answer as { user: unknown }).user),
    changes: {},
    refused: { body: { email: 'x@example.org', displayName: 'X', password: 'correct horse', invite: 'nothing' } },
  },
  login: { nothing: OF_A_PERSON },
  logout: { nothing: OF_A_PERSON },
  createApiToken: { nothing: OF_A_PERSON },
  deleteApiToken: { nothing: OF_A_PERSON },
  updateUserById: { nothing: OF_A_PERSON },
  // organizations
  createOrganization: {
    action: 'organization.create',
    body: { title: 'Second' },
    resource: answered,
    organizations: (done) => [answered(done)],
    changes: { title: { after: 'Second' }, hostname: { after: 'second' } },
    refused: { body: { title: '' } },
  },
  updateOrganizationById: {
    action: 'organization.update',
    body: { title: 'Renamed', ai: false },
    settles: true,
    resource: 'organizationId',
    changes: changed('title', 'Acme', 'Renamed'),
  },
  setOrganizationMergeRules: {
    action: 'organization.set-merge-rules',
    body: ({ admin }) => Promise.resolve({ rules: [], bypass: [admin._id] }),
    settles: true,
    resource: 'organizationId',
    changes: ({ admin }: Performed) => changed('bypass', [], [admin._id]),
  },
  // members
  updateMemberInOrganizationById: {
    action: 'member.update',
    body: { role: 'create' },
    settles: true,
    resource: 'userId',
    changes: changed('role', 'review', 'create'),
  },
  setUserAsSSOMemberForOrganization: {
    action: 'member.update',
    settles: true,
    resource: 'userId',
    changes: changed('sso', false, true),
  },
  removeMemberFromOrganizationById: {
    action: 'member.remove',
    alone: true,
    resource: 'userId',
    changes: { role: { before: 'review' } },
  },
  updateOrganizationMemberLastSeenAt: { nothing: 'who is there every minute changes nothing' },
  // invitations
  inviteUsersToOrganization: {
    action: 'member.invite',
    body: { emails: ['somebody@example.org'] },
    resource: ({ answer }) => (answer as { users: string[] }).users[0] ?? '',
    changes: { role: { after: 'read' } },
  },
  createOrganizationInvite: {
    action: 'invite.create',
    body: { role: 'edit' },
    resource: (done) => hashOf(answered(done)),
    changes: { role: { after: 'edit' }, space: { after: null } },
  },
  updateOrganizationInviteById: {
    action: 'invite.update',
    body: { role: 'read' },
    settles: true,
    resource: ({ at }) => hashOf(at.inviteId),
    changes: changed('role', null, 'read'),
  },
  joinOrganizationWithInvite: {
    action: 'member.join',
    by: 'stranger',
    alone: true,
    settles: true,
    resource: ({ stranger }) => stranger._id,
    changes: { role: { after: null } },
    refused: { at: { inviteId: UNKNOWN } },
  },
  deleteOrganizationInviteById: {
    action: 'invite.delete',
    alone: true,
    resource: ({ at }) => hashOf(at.inviteId),
    changes: { role: { before: null }, space: { before: null } },
  },
  // teams
  createOrganizationTeam: {
    action: 'team.create',
    body: ({ reviewer }) => Promise.resolve({ title: 'Second', members: [reviewer._id] }),
    resource: answered,
    changes: ({ reviewer }: Performed) => ({ title: { after: 'Second' }, members: { after: [reviewer._id] } }),
  },
  updateTeamInOrganizationById: {
    action: 'team.update',
    body: { title: 'Renamed' },
    settles: true,
    resource: 'teamId',
    changes: changed('title', 'Team', 'Renamed'),
  },
  addMemberToOrganizationTeamById: {
    action: 'team.update-members',
    body: { role: 'owner' },
    settles: true,
    resource: 'teamId',
    changes: ({ at: { userId: user } }: Performed) =>
      changed('members', [{ user, role: 'member' }], [{ user, role: 'owner' }]),
  },
  updateMembersInOrganizationTeam: {
    action: 'team.update-members',
    body: ({ reviewer }) => Promise.resolve({ add: [reviewer._id] }),
    settles: true,
    resource: 'teamId',
    changes: ({ reviewer: { _id: user } }: Performed) => changed('members', [], [{ user, role: 'member' }]),
  },
  deleteMemberFromOrganizationTeamById: {
    action: 'team.update-members',
    alone: true,
    resource: 'teamId',
    changes: ({ at: { userId: user } }: Performed) => changed('members', [{ user, role: 'member' }], []),
  },
  removeTeamFromOrganizationById: {
    action: 'team.delete',
    alone: true,
    resource: 'teamId',
    changes: { title: { before: 'Team' } },
  },
  // single sign-on
  finishSamlSignIn: { nothing: 'who comes in by it is recorded as who joins by an invitation: see saml.e2e-spec.ts' },
  createOrganizationSAMLProvider: {
    action: 'saml-provider.create',
    body: { label: 'Acme' },
    resource: answered,
    changes: { label: { after: 'Acme' } },
    refused: { body: { label: '' } },
  },
  updateOrganizationSAMLProvider: {
    action: 'saml-provider.update',
    body: { label: 'Renamed' },
    settles: true,
    resource: 'samlProviderId',
    changes: changed('label', 'Acme', 'Renamed'),
  },
  deleteOrganizationSAMLProvider: {
    action: 'saml-provider.delete',
    alone: true,
    resource: 'samlProviderId',
    changes: { label: { before: 'Acme' } },
  },
  // webhooks
  createWebhook: {
    action: 'webhook.create',
    body: { url: 'https://hooks.invalid/secret-path', events: ['spec.processed'] },
    resource: answered,
    changes: {
      url: { after: 'https://hooks.invalid' },
      events: { after: ['spec.processed'] },
      active: { after: true },
    },
    refused: { body: { url: 'https://example.org/', events: [] } },
  },
  updateWebhook: {
    action: 'webhook.update',
    body: { url: 'https://other.invalid/', events: ['site.published'] },
    settles: true,
    resource: 'webhookId',
    changes: {
      ...changed('url', 'https://hooks.invalid', 'https://other.invalid'),
      ...changed('events', ['spec.processed'], ['site.published']),
    },
  },
  deleteWebhook: {
    action: 'webhook.delete',
    alone: true,
    resource: 'webhookId',
    changes: {
      url: { before: 'https://hooks.invalid' },
      events: { before: ['spec.processed'] },
      active: { before: true },
    },
  },
  redeliverWebhookDelivery: { nothing: 'what is sent once more is nothing new' },
  // OpenAPI specifications
  createOpenAPISpec: {
    action: 'openapi-spec.create',
    body: { slug: 'birds', source: { text: 'secret text' } },
    resource: answered,
    changes: { slug: { after: 'birds' }, source: { after: 'text' } },
    refused: { body: { slug: 'birds', source: {} } },
  },
  createOrUpdateOpenAPISpecBySlug: {
    action: 'openapi-spec.update',
    alone: true,
    body: { source: { url: 'https://hooks.invalid/secret-path' } },
    resource: answered,
    changes: changed('source', 'text', 'https://hooks.invalid'),
  },
  deleteOpenAPISpecBySlug: {
    action: 'openapi-spec.delete',
    alone: true,
    resource: ({ at }) => at.specId,
    changes: ({ at }: Performed) => ({ slug: { before: at.specSlug } }),
  },
  // translations
  createTranslationSettings: {
    action: 'translation-settings.create',
    body: { title: 'Ours', languages: ['en', 'de'] },
    resource: answered,
    changes: { title: { after: 'Ours' }, languages: { after: ['en', 'de'] } },
    refused: { body: { title: 'Ours', languages: ['klingon'] } },
  },
  updateTranslationSettings: {
    action: 'translation-settings.update',
    body: { title: 'Ours', languages: ['de'] },
    settles: true,
    resource: 'translationSettingsId',
    changes: { ...changed('title', 'All', 'Ours'), ...changed('languages', ['en'], ['de']) },
  },
  deleteTranslationSettings: {
    action: 'translation-settings.delete',
    alone: true,
    resource: 'translationSettingsId',
    changes: { title: { before: 'All' } },
  },
  ...AUDIT_OF_CONTENT,
  ...AUDIT_OF_SITES,
  ...AUDIT_OF_SITE_SETTINGS,
  ...AUDIT_OF_INTEGRATIONS,
};
