import { createHash } from 'node:crypto';
import { IdentityProvider, requestOf } from '../identity-provider.js';
import { type Acts, type Body, pick, type Plan, text, type World } from './world.js';

const PASSWORD = 'correct horse';
/** All of them may review. */
const ROLES = ['review', 'create', 'admin'];
/** Identity providers have one key: making one takes a second. */
const idp = IdentityProvider.make();

/** What stands for an invitation link in the audit trail. */
const hashOf = ({ id }: Body): string => createHash('sha256').update(String(id)).digest('base64url').slice(0, 20);
const within = (w: World): Record<string, string> => ({ organizationId: w.organization });
const membersOf = (w: World, id: string): string => `${w.home}/members/${id}`;
/** Whether somebody can sign in with that token. */
const isOpen = (w: World, token: string) => async (): Promise<boolean> =>
  (await w.read('/v1/user', token)).status === 200;
const unknown = (): Promise<undefined> => Promise.resolve(undefined);

/** Somebody who has registered just now, as answered. */
const registered = (answer: Body): { id: string; token: string } => ({
  id: text(answer.user, 'id'),
  token: text(answer, 'token'),
});

/** Plans that the person `id` becomes a member; they are one from then on, with that token. */
const joining = (w: World, id: string, token: string): Pick<Plan, 'tells' | 'leaves'> => ({
  tells: () => [{ at: membersOf(w, id), fields: { id } }],
  leaves: () => {
    w.things = w.things.filter((thing) => thing.id !== id);
    w.add({ kind: 'member', id, path: membersOf(w, id), note: { token } });
  },
});

/** `plan` of which nothing is known unless it is answered: what it makes has an id that nothing else tells. */
const onceAnswered = (plan: Plan): Plan => ({
  ...plan,
  tells: (id, answer) => (answer && plan.tells?.(id, answer)) ?? [],
  leaves: (id, answer) => {
    if (answer) plan.leaves?.(id, answer);
  },
});

/** Plans to register; the new person has nothing to do with the organization. */
export function registration(w: World): Plan {
  const email = `${w.mark()}@kills.example`;
  const login = { email, password: PASSWORD };
  return {
    at: {},
    token: null,
    body: { ...login, displayName: email },
    action: null,
    // who can sign in has an account
    happened: () => w.canSignIn(login),
    tells: (_, answer) =>
      answer ? [{ at: '/v1/user', as: registered(answer).token, fields: { displayName: email } }] : [],
    leaves: (_, answer) => {
      if (!answer) return;
      const { id, token } = registered(answer);
      w.add({ kind: 'stranger', id, path: `/v1/users/${id}`, note: { token, ...login } });
    },
  };
}

/** Plans to register as somebody who was invited. */
function registrationOfInvited(w: World): Plan | undefined {
  const invited = w.one('invited');
  if (!invited) return undefined;
  const { email = '', invite = '' } = invited.note;
  return {
    at: {},
    token: null,
    body: { email, displayName: email, password: PASSWORD, invite },
    resource: (answer) => registered(answer).id,
    tells: (id) => [{ at: membersOf(w, id), fields: { 'user.displayName': email } }],
    leaves: (id, answer) => {
      w.drop(invited.id);
      if (answer) {
        w.add({ kind: 'member', id, path: membersOf(w, id), note: { token: registered(answer).token } });
      }
    },
  };
}

/** People, their tokens, and who belongs to the organization. */
export const PEOPLE: Acts = {
  register: [(w) => (w.all('stranger').length < 2 ? registration(w) : undefined), registrationOfInvited],
  login: (w) => {
    const who = w.one('stranger');
    if (!who || w.all('session').length > 2) return undefined;
    const { email = '', password = '' } = who.note;
    return {
      at: {},
      token: null,
      body: { email, password },
      // whether there is an account was asked with a password as well
      refusal: 429,
      action: null,
      happened: unknown,
      tells: (_, answer) => (answer ? [{ at: '/v1/user', as: text(answer, 'token'), fields: { id: who.id } }] : []),
      leaves: (_, answer) => {
        const token = text(answer, 'token');
        if (answer) w.add({ kind: 'session', id: token, path: '/v1/user', of: [who.id], note: { token } });
      },
    };
  },
  logout: (w) => {
    const session = w.one('session');
    const token = session?.note.token ?? '';
    return (
      session && {
        at: {},
        token,
        action: null,
        happened: async () => !(await isOpen(w, token)()),
        tells: () => [{ at: '/v1/user', as: token, gone: true }],
        leaves: () => {
          w.things = w.things.filter((thing) => thing !== session);
        },
      }
    );
  },
  updateUserById: (w) => {
    const displayName = w.mark();
    return {
      at: { userId: w.user },
      body: { displayName },
      action: null,
      happened: async () => text((await w.read('/v1/user')).body, 'displayName') === displayName,
      tells: () => [{ at: `/v1/users/${w.user}`, fields: { displayName } }],
    };
  },
  createApiToken: (w) => {
    const label = w.mark();
    const list = '/v1/user/tokens?limit=1000';
    const plan = w.make('token', {
      at: {},
      body: { label },
      path: (id) => `${list}#${id}`,
      fields: { label },
    });
    const happened = (): Promise<boolean> => w.finds({ at: `${list}#${label}`, fields: { label } });
    return plan && { ...onceAnswered(plan), action: null, happened };
  },
  deleteApiToken: (w) => {
    const token = w.one('token');
    const happened = (): Promise<boolean> => w.finds({ at: token?.path ?? '', gone: true });
    return token && { ...w.remove(token, { tokenId: token.id }), action: null, happened };
  },
  createOrganization: (w) => {
    const title = w.mark();
    const path = (id: string): string => `/v1/orgs/${id}`;
    const plan = w.make('organization', { at: {}, body: { title }, path, fields: { title } });
    return (
      plan && {
        ...onceAnswered({
          ...plan,
          leaves: (id, answer) => {
            plan.leaves?.(id, answer);
            w.events.set(id, [{ action: 'organization.create', resource: id }]);
          },
        }),
        action: null,
        happened: () => w.finds({ at: `/v1/orgs?limit=1000#${title}`, fields: { title } }),
      }
    );
  },
  updateOrganizationById: (w) => {
    const title = w.mark();
    const tells = () => [{ at: w.home, fields: { title } }];
    return { at: within(w), body: { title }, resource: w.organization, tells };
  },
  setOrganizationMergeRules: (w) => {
    const { value: bypass, keep } = w.other('bypass', ['', w.user], '');
    const list = bypass === '' ? [] : [bypass];
    return {
      at: within(w),
      body: { rules: [], bypass: list },
      resource: w.organization,
      tells: () => [{ at: `${w.home}/merge-rules`, fields: { bypass: list } }],
      leaves: keep,
    };
  },
  updateMemberInOrganizationById: async (w) => {
    const member = w.one('member');
    if (!member) return undefined;
    const { role: before } = (await w.read(member.path)).body;
    const role = pick(ROLES.filter((one) => one !== before));
    return w.change(member, { ...within(w), userId: member.id }, { role });
  },
  setUserAsSSOMemberForOrganization: (w) => {
    const member = w.one('member', ({ note }) => note.sso === undefined);
    return (
      member && {
        ...w.change(member, { ...within(w), userId: member.id }, {}, { sso: true }),
        body: undefined,
        leaves: () => {
          member.note.sso = 'yes';
        },
      }
    );
  },
  removeMemberFromOrganizationById: (w) => {
    const member = w.all('member').length > 1 ? w.one('member') : undefined;
    return member && w.remove(member, { ...within(w), userId: member.id });
  },
  updateOrganizationMemberLastSeenAt: (w) => ({
    at: within(w),
    action: null,
    happened: unknown,
  }),
  createOrganizationInvite: (w) => {
    if (w.all('invite').length > 2) return undefined;
    return {
      at: within(w),
      body: { role: 'review' },
      resource: hashOf,
      tells: (_, answer) =>
        answer ? [{ at: `${w.home}/link-invites/${text(answer, 'id')}`, fields: { role: 'review' } }] : [],
      leaves: (id, answer) => {
        const own = text(answer, 'id');
        if (answer) w.add({ kind: 'invite', id: own, path: `${w.home}/link-invites/${own}`, note: { hash: id } });
      },
    };
  },
  updateOrganizationInviteById: (w) => {
    const invite = w.one('invite');
    if (!invite) return undefined;
    const { value: role, keep } = w.other(`invite ${invite.id}`, ROLES, 'review');
    const plan = w.change(invite, { ...within(w), inviteId: invite.id }, { role });
    return { ...plan, resource: invite.note.hash, leaves: keep };
  },
  deleteOrganizationInviteById: (w) => {
    const invite = w.one('invite');
    return invite && { ...w.remove(invite, { ...within(w), inviteId: invite.id }), resource: invite.note.hash };
  },
  joinOrganizationWithInvite: (w) => {
    const [who, invite] = [w.one('stranger'), w.one('invite')];
    if (!who || !invite || w.all('member').length > 3) return undefined;
    const { token = '' } = who.note;
    return { at: { ...within(w), inviteId: invite.id }, token, resource: who.id, ...joining(w, who.id, token) };
  },
  inviteUsersToOrganization: (w) => {
    if (w.all('invited').length > 2) return undefined;
    const email = `${w.mark()}@kills.example`;
    return {
      at: within(w),
      body: { emails: [email], role: 'review' },
      resource: ({ users }) => String((users as string[])[0]),
      tells: (id) => [{ at: membersOf(w, id), fields: { id } }],
      leaves: (id, answer) => {
        const [invitation] = (answer?.invitations ?? []) as Body[];
        const note = { email, invite: text(invitation, 'invite') };
        if (answer) w.add({ kind: 'invited', id, path: membersOf(w, id), note });
      },
    };
  },
  // teams
  createOrganizationTeam: (w) => {
    const title = w.mark();
    const path = (id: string): string => `${w.home}/teams/${id}`;
    return w.make('team', { at: within(w), body: { title }, path, fields: { title } });
  },
  updateTeamInOrganizationById: (w) => {
    const team = w.one('team');
    return team && w.change(team, { ...within(w), teamId: team.id }, { title: w.mark() });
  },
  removeTeamFromOrganizationById: (w) => {
    const team = w.one('team');
    return team && w.remove(team, { ...within(w), teamId: team.id });
  },
  updateMembersInOrganizationTeam: (w) => changeInTeam(w, ({ id }) => ({ add: [id] })),
  addMemberToOrganizationTeamById: (w) => changeInTeam(w, undefined),
  deleteMemberFromOrganizationTeamById: (w) => {
    const belonging = w.one('belonging');
    if (!belonging) return undefined;
    const { team = '', user = '' } = belonging.note;
    return { ...w.remove(belonging, { ...within(w), teamId: team, userId: user }), resource: team };
  },
  // single sign-on
  createOrganizationSAMLProvider: (w) => {
    const label = w.mark();
    const body = {
      label,
      ssoURL: 'https://idp.test/sso',
      entityID: `https://idp.test/${label}`,
      certificate: idp.certificate,
    };
    const path = (id: string): string => `${w.home}/saml/${id}`;
    const trace = { at: `${w.home}/saml?limit=1000`, text: label };
    const note = { issuer: body.entityID };
    return w.make('provider', { at: within(w), body, path, fields: { label }, note, trace });
  },
  updateOrganizationSAMLProvider: (w) => {
    const provider = w.one('provider');
    return provider && w.change(provider, { ...within(w), samlProviderId: provider.id }, { label: w.mark() });
  },
  deleteOrganizationSAMLProvider: (w) => {
    const provider = w.one('provider');
    return provider && w.remove(provider, { ...within(w), samlProviderId: provider.id });
  },
  finishSamlSignIn: async (w) => {
    const provider = w.one('provider');
    if (!provider) return undefined;
    const started = await w.read(`/saml/${provider.id}/login`, null);
    const { id, acsURL, issuer } = requestOf(new URL(started.location).searchParams.get('SAMLRequest') ?? '');
    const email = `${w.mark()}@sso.example`;
    const { issuer: entity = '' } = provider.note;
    const claims = { acsURL, audience: issuer, issuer: entity, request: id, email };
    const form = new URLSearchParams({ SAMLResponse: idp.answer(claims) });
    return {
      at: { samlProviderId: provider.id },
      token: null,
      body: Buffer.from(form.toString()),
      type: 'application/x-www-form-urlencoded',
      action: 'member.join',
      resource: '*',
      tells: () => [{ at: `${w.home}/members?limit=1000#${email}`, fields: { 'user.email': email } }],
    };
  },
};

/** Plans to have a member in a team, or in another role there. */
function changeInTeam(w: World, add: ((member: { id: string }) => object) | undefined): Plan | undefined {
  const [team, member] = [w.one('team'), w.one('member')];
  if (!team || !member) return undefined;
  const id = `${team.id}:${member.id}`;
  const path = `${w.home}/teams/${team.id}/members?limit=1000#${member.id}`;
  const there = w.one('belonging', (one) => one.id === id);
  if (add && there) return undefined;
  const note = { team: team.id, user: member.id };
  const role = there?.note.role === 'owner' || add ? 'member' : 'owner';
  return {
    at: { organizationId: w.organization, teamId: team.id, userId: member.id },
    body: add ? add(member) : { role },
    resource: team.id,
    tells: () => [{ at: path, fields: { 'team.role': role } }],
    leaves: () => {
      if (there) there.note.role = role;
      else w.add({ kind: 'belonging', id, path, of: [team.id, member.id], note: { ...note, role } });
    },
  };
}
