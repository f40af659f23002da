import { newId } from '../../../src/common/ids.js';
import type { Queries } from '../tenants.js';

/** Accounts, tokens, organizations, members, invitations, identity providers and teams. */
export const OF_PEOPLE: Queries = {
  'a token is looked up': ({ user }, { tokens }) => tokens.authenticate(`${user._id} no token`),
  'two tokens are looked up at once': ({ user }, { tokens }) =>
    Promise.all(['one', 'two'].map((other) => tokens.authenticate(`${user._id} no token ${other}`))),
  'tokens are listed': async ({ user }, { tokens }) => {
    const { next } = await tokens.list(user._id, { limit: 2 });
    return tokens.list(user._id, { limit: 2, page: next?.page });
  },
  'a token is revoked': ({ user }, { tokens }) => tokens.revoke(user._id, 'nothing').catch(() => undefined),
  'a token is ended': ({ user }, { tokens }) => tokens.end({ user: user._id, token: 'nothing' }),
  'people are read': ({ user, reader }, { users }) => users.getMany([user._id, reader._id]),
  'a person is found': ({ user }, { users }) => users.find(user._id),
  'a person signs in': ({ user }, { users }) => users.verify(user.email, 'correct horse'),
  'a person is changed': ({ user }, { users }) => users.update(user._id, { displayName: 'Ann B.' }),
  'a password is set': async ({ user }, { users }) => users.setPassword(user._id, await users.hash('another horse')),
  'all tokens of a person are ended': ({ user }, { tokens }) => tokens.endAll(user._id, 'session'),
  'it is asked whether there is anybody': (_, { users }) => users.isEmpty(),
  'a member is found': ({ organization, user }, { members }) => members.find(organization._id, user._id),
  'memberships are found': ({ user }, { members }) => members.organizationsOf(user._id),
  'fellows are told from strangers': ({ user, reader }, { members }) => members.areFellows(user._id, reader._id),
  'a member is added': ({ organization }, { members }) => members.add(organization._id, 'somebody', 'read'),
  'members are listed': async ({ organization: { _id } }, { members }) => {
    for (const sort of ['joinedAt', 'lastSeenAt'] as const) {
      const { next } = await members.list(_id, { sort, role: 'read', search: 'x', limit: 1 });
      await members.list(_id, { sort, role: 'read', search: 'x', limit: 1, page: next?.page });
      await members.list(_id, { sort, limit: 1 });
    }
  },
  'a member is changed': async ({ organization: { _id }, reader, user }, { memberChanges }) => {
    await memberChanges.setRole(_id, reader._id, 'edit');
    await memberChanges.ping(_id, reader._id);
    await memberChanges.trustProvider(_id, reader._id);
    await memberChanges.setRole(_id, user._id, 'read').catch(() => undefined);
  },
  'a member is removed': ({ organization: { _id }, reader }, { memberChanges }) =>
    memberChanges.remove(_id, reader._id),
  'people are invited': async ({ organization, reader }, { invitations, users }) => {
    const emails = [{ email: reader.email }, { email: `${newId()}@example.org` }];
    const answer = await invitations.invite(organization, { emails, sso: true });
    for (const { email, invite, user } of answer.invitations) {
      await (await invitations.find(invite, email))?.accept(user);
      await invitations.isForgotten(await users.get(user));
    }
  },
  'links are made and used': async ({ organization: { _id }, owner, space }, { links, users }) => {
    const made = [
      await links.create(_id, { role: 'read' }, owner),
      await links.create(_id, { level: 'edit', space: space._id }, owner),
    ];
    const stranger = await users.create({ email: `${newId()}@example.org`, displayName: 'Stranger' });
    for (const link of made) {
      await links.update(_id, link._id, link.space === null ? { role: 'edit' } : { level: 'edit' });
      await links.join(_id, link._id, stranger._id);
    }
    const { next } = await links.list(_id, { limit: 1 });
    await links.list(_id, { limit: 1, page: next?.page });
    await links.remove(_id, made[0]?._id ?? '');
  },
  'identity providers are listed': async ({ organization: { _id } }, { providers }) => {
    await providers.create(_id, { label: 'Acme' });
    const { next } = await providers.list(_id, { limit: 1 });
    await providers.list(_id, { limit: 1, page: next?.page });
    await providers.listActive(_id);
    await providers.among([_id]);
  },
  'somebody signs in by an identity provider, which is changed and removed': async (
    { organization: { _id }, team },
    { signInBySaml, providers },
  ) => {
    const email = `${newId()}@example.org`;
    await signInBySaml(_id, email, team._id);
    const provider = await providers.get(_id, await signInBySaml(_id, email));
    await providers.remove(await providers.update(provider, { defaultTeam: team._id }));
  },
  'a sign-in is counted': async ({ user }, { failures }) => (await failures.begin(user.email, '192.0.2.2')).succeeded(),
  'requests are counted': async ({ user }, { rateCounts }) => {
    const due = [user._id, 'address'].map((key) => ({ key, window: 40_000_000, count: 3 }));
    await rateCounts.add('requests', due);
    await rateCounts.addOne('sign-ins', { key: 'address', window: 40_000_000, count: 1 });
  },
  'an organization is read': ({ organization }, { organizations }) => organizations.get(organization._id),
  'organizations are listed': ({ user }, { organizations }) => organizations.listOf(user._id, { limit: 1 }),
  'organizations go with a domain': ({ user }, { organizations }) =>
    organizations.forEmailDomain('tenant.test', user._id),
  'an organization is made': ({ user }, { organizations }) => organizations.create(user._id, { title: 'Tenant' }),
  'an organization is changed': ({ organization }, { organizations }) =>
    organizations.update(organization, { hostname: 'tenant-now' }),
  'teams are listed': async ({ organization, owner, member }, { teams }) => {
    await teams.list(organization._id, { title: 'ea', limit: 1 });
    await teams.listManagedBy(organization._id, owner, { limit: 1 });
    await teams.listOf(member, { limit: 1 });
  },
  'teams are shown': async ({ team, member }, { teamViews }) => teamViews.one(team, member),
  'members of a team are listed': ({ team }, { teamMembers }) => teamMembers.list(team, { limit: 1 }),
  'a team is made, changed and removed': async ({ organization, user, reader }, { teamMembers, teams }) => {
    const team = await teamMembers.create(organization._id, 'Short', [user._id]);
    await teams.rename(team, 'Renamed');
    await teamMembers.update(team, { add: [reader.email], memberships: { [user._id]: { role: 'owner' } } });
    await teamMembers.remove(team, reader._id);
    await teams.remove(team);
  },
  'belonging people are found': ({ organization, user }, { members }) =>
    members.belonging(organization._id, [user._id]),
};
