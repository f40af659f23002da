import { ask, type PublicClient, refusalOf } from '../support/public-client.js';
import type { Day } from './day.js';

/** Somebody sets up an organization: who belongs to it, how they sign in, and who may do what where. */
export async function administratorsDay(day: Day): Promise<void> {
  const admin = await day.app.create.user({ email: 'ada@acme.example', displayName: 'Ada' });
  const { _id: org } = await day.app.create.organization({ title: 'Acme', admin });
  const client = day.client(admin);
  await itself(client, org);
  const ben = await day.app.create.user({ displayName: 'Ben' });
  await invitations(client, day.client(ben), org, ben.email);
  await members(client, day.client(ben), org, ben._id);
  const team = await teams(client, org, ben._id);
  await collections(client, org, { ben: ben._id, team });
  const { _id: other } = await day.app.create.organization({ title: 'Other', admin });
  await spaces(client, org, { ben: ben._id, team, other });
  await signIn(client, org, ben._id);
  await client.orgs.removeTeamFromOrganizationById(org, team);
  await client.orgs.removeMemberFromOrganizationById(org, ben._id);
  expect((await refusalOf(day.client(ben).orgs.getOrganizationById(org))).code).toBe(404);
}

/** The person, and what the organization says of itself. */
async function itself(client: PublicClient, org: string): Promise<void> {
  expect((await client.getApiInformation()).data).toEqual({ version: expect.anything(), build: expect.anything() });
  const { data: me } = await client.user.getAuthenticatedUser();
  await client.users.updateUserById(me.id, { displayName: 'Ada A.', photoURL: 'https://acme.example/ada.png' });
  const { data: changed } = await client.users.getUserById(me.id);
  expect(changed).toMatchObject({ id: me.id, displayName: 'Ada A.', photoURL: 'https://acme.example/ada.png' });

  const settings = {
    emailDomains: ['acme.example'],
    hostname: 'acme-docs',
    ai: true,
    logo: 'https://acme.example/l.png',
  };
  const { data: updated } = await client.orgs.updateOrganizationById(org, settings);
  expect((await client.orgs.getOrganizationById(org)).data).toEqual(updated);
  expect((await client.orgs.listOrganizationsForAuthenticatedUser()).data.items).toEqual([updated]);
  const { data: named } = await client.emailDomains.getOrganizationsForEmailDomain('acme.example');
  expect(named.organizations).toMatchObject([{ id: org }]);
  const { data: subdomain } = await client.subdomains.getSubdomain('acme-docs');
  expect(subdomain).toMatchObject({ target: { type: 'organization', organization: org }, isActive: true });
}

/** Ben comes by a link; others are invited by their addresses. */
async function invitations(client: PublicClient, ben: PublicClient, org: string, email: string): Promise<void> {
  const { data: invited } = await client.orgs.inviteUsersToOrganization(org, { emails: ['new@acme.example'] });
  expect(invited.invited).toBe(1);
  const { data: link } = await client.orgs.createOrganizationInvite(org, { role: null });
  await client.orgs.updateOrganizationInviteById(org, link.id, { role: 'edit' as never });
  const { data: space } = await client.orgs.createSpace(org, { title: 'Open house' });
  const { data: toSpace } = await client.orgs.createOrganizationInvite(org, {
    level: 'read' as never,
    space: space.id,
  });
  const { data: links } = await client.orgs.listOrganizationInviteLinks(org);
  expect(links.items.map(({ id }) => id)).toEqual([toSpace.id, link.id]);
  expect((await ben.orgs.getOrganizationInviteLink(org, link.id)).data).toMatchObject({
    role: 'edit',
    redundant: false,
  });
  await ben.orgs.joinOrganizationWithInvite(org, link.id);
  await client.orgs.deleteOrganizationInviteById(org, link.id);
  const { data: found } = await client.orgs.listMembersInOrganizationById(org, { search: email });
  expect(found.items).toMatchObject([{ role: 'edit' }]);
}

async function members(client: PublicClient, ben: PublicClient, org: string, id: string): Promise<void> {
  await ben.orgs.updateOrganizationMemberLastSeenAt(org);
  await client.orgs.updateMemberInOrganizationById(org, id, { role: 'review' as never });
  const { data: member } = await client.orgs.getMemberInOrganizationById(org, id);
  expect(member).toMatchObject({ id, role: 'review', lastSeenAt: expect.any(String) as string });
}

/** A team of which Ben becomes the owner. */
async function teams(client: PublicClient, org: string, ben: string): Promise<string> {
  const { data: me } = await client.user.getAuthenticatedUser();
  const { data: team } = await client.orgs.createOrganizationTeam(org, { title: 'Writers', members: [me.id] });
  await client.orgs.updateTeamInOrganizationById(org, team.id, { title: 'Authors' });
  await client.orgs.addMemberToOrganizationTeamById(org, team.id, ben, { role: 'owner' as never });
  const { data: all } = await client.orgs.listTeamMembersInOrganizationById(org, team.id);
  expect(all.count).toBe(2);
  await client.orgs.deleteMemberFromOrganizationTeamById(org, team.id, me.id);
  const memberships = { [me.id]: { role: 'owner' as never } };
  await client.orgs.updateMembersInOrganizationTeam(org, team.id, { add: [me.id], memberships });
  const { data: shown } = await client.orgs.getTeamInOrganizationById(org, team.id);
  expect(shown).toMatchObject({ title: 'Authors', members: 2 });
  expect((await client.orgs.listTeamsInOrganizationById(org, { title: 'auth' })).data.items).toEqual([shown]);
  const { data: of } = await client.orgs.listTeamsForOrganizationMember(org, ben);
  expect(of.items).toMatchObject([{ team: { id: team.id }, member: { role: 'owner' } }]);
  return team.id;
}

/** Whom permissions are given to. */
interface People {
  ben: string;
  team: string;
}

async function collections(client: PublicClient, org: string, { ben, team }: People): Promise<void> {
  const { data: shelf } = await client.orgs.createCollection(org, { title: 'Shelf' });
  const { data: box } = await client.orgs.createCollection(org, { title: 'Box', parent: shelf.id });
  await client.collections.updateCollectionById(box.id, { description: 'All of it', defaultLevel: 'read' as never });
  const { data: moved } = await client.collections.moveCollection(box.id, { parent: null });
  expect((await client.collections.getCollectionById(box.id)).data).toEqual(moved);
  const { data: list } = await client.orgs.listCollectionsInOrganizationById(org, { nested: true });
  expect(list.count).toBe(2);
  const { data: space } = await client.orgs.createSpace(org, { title: 'Guide', parent: box.id });
  const { data: inside } = await client.collections.listSpacesInCollectionById(box.id);
  expect(inside.items).toMatchObject([{ id: space.id }]);

  const { collections: at } = client;
  const both = { users: [ben], teams: [team], role: 'comment' };
  await at.inviteToCollection(box.id, both as never);
  await at.updateUserPermissionInCollection(box.id, ben, { role: 'edit' as never });
  await at.updateTeamPermissionInCollection(box.id, team, { role: 'review' as never });
  const { data: users } = await at.listUserPermissionsInCollection(box.id);
  expect(users.items).toContainEqual(expect.objectContaining({ permission: 'edit' }));
  expect((await at.listTeamPermissionsInCollection(box.id)).data.items).toMatchObject([{ permission: 'review' }]);
  await at.removeUserFromCollection(box.id, ben);
  await at.removeTeamFromCollection(box.id, team);
  const { data: everyone } = await at.listPermissionsAggregateInCollection(box.id, { role: 'read' as never });
  expect(everyone.items).toMatchObject([{ user: { id: ben } }, { user: { displayName: 'new' } }]);
  await at.deleteCollectionById(shelf.id);
}

async function spaces(client: PublicClient, org: string, at: People & { other: string }): Promise<void> {
  const { ben, team, other } = at;
  const { data: space } = await client.orgs.createSpace(org, { title: 'Handbook', emoji: '📗' });
  await client.spaces.updateSpaceById(space.id, { title: 'Manual', emoji: '📕', defaultLevel: null });
  expect((await client.spaces.getSpaceById(space.id)).data).toMatchObject({ title: 'Manual', defaultLevel: null });
  await client.spaces.moveSpace(space.id, { parent: null, position: {} });

  await client.spaces.inviteToSpace(space.id, { users: [ben], teams: [team], role: 'comment' } as never);
  await client.spaces.updateUserPermissionInSpace(space.id, ben, { role: 'edit' as never });
  await client.spaces.updateTeamPermissionInSpace(space.id, team, { role: null });
  expect((await client.spaces.listUserPermissionsInSpace(space.id)).data.count).toBe(2);
  expect((await client.spaces.listTeamPermissionsInSpace(space.id)).data.items).toMatchObject([{ permission: null }]);
  const { data: edits } = await client.spaces.listPermissionsAggregateInSpace(space.id, { role: 'edit' as never });
  expect(edits.items).toMatchObject([{ user: { id: ben } }]);
  const { data: reached } = await client.orgs.listSpacesForOrganizationMember(org, ben);
  expect(reached.items).toContainEqual(expect.objectContaining({ permission: 'edit' }));
  await client.spaces.removeUserFromSpace(space.id, ben);
  await client.spaces.removeTeamFromSpace(space.id, team);

  const { data: copy } = await client.spaces.duplicateSpace(space.id);
  expect((await client.spaces.transferSpace(copy.id, { organization: other })).data.organization).toBe(other);
  await client.spaces.deleteSpaceById(space.id);
  expect((await client.spaces.getSpaceById(space.id)).data.deletedAt).toBeDefined();
  await client.spaces.restoreSpace(space.id);
  const { data: all } = await client.orgs.listSpacesInOrganizationById(org);
  expect(all.items.map(({ title }) => title)).toEqual(['Manual', 'Guide', 'Open house']);
}

/** The client describes the operations of single sign-on, and has no methods for them. */
async function signIn(client: PublicClient, org: string, ben: string): Promise<void> {
  const root = `/orgs/${org}/saml`;
  const { id } = await ask(client, 'POST', root, { body: { label: 'Acme' } });
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
  const idp = { ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example', certificate };
  await ask(client, 'PATCH', `${root}/${id}`, { body: { ...idp, defaultRole: 'read' } });
  expect(await ask(client, 'GET', `${root}/${id}`)).toMatchObject({ id, label: 'Acme', status: 'active' });
  expect(await ask(client, 'GET', root)).toMatchObject({ count: 1, items: [{ id }] });
  expect(await ask(client, 'GET', `/orgs/${org}/sso`)).toMatchObject({ items: [{ id }] });
  expect(await ask(client, 'POST', `/orgs/${org}/members/${ben}/sso`)).toMatchObject({ id: ben });
  await ask(client, 'DELETE', `${root}/${id}`, { isEmpty: true });
}
