import { fold } from '../common/folding.js';
import { apart, owned, type Rule } from '../database/index.js';
import type { LinkInvite } from './link-invite.schema.js';
import { type Member, memberId } from './member.schema.js';
import type { Hostname, Organization } from './organization.schema.js';

/** What goes where an organization goes. */
export const ORGANIZATION_RECORDS: readonly Rule[] = [
  owned<Organization>('organizations', {
    by: '_id',
    atOnce: true,
    needs: { sites: ({ defaultSite }) => [defaultSite], hostnames: ({ hostname }) => [hostname] },
    taken: (id) => `the organization ${id} is there already`,
  }),
  owned<Hostname>('hostnames', {
    atOnce: true,
    taken: (name, { hostname }) =>
      name === hostname
        ? `another organization holds the hostname "${name}": give this one another hostname where the backup was made, and make it again`
        : null,
  }),
  owned<Member>('members', {
    atOnce: true,
    fits: ({ _id, organization, user }) => _id === memberId(organization, user),
    needs: { users: ({ user }) => [user], teams: ({ teams }) => teams.map(({ team }) => team) },
    people: ({ user }) => [user],
    arrive: {
      person: ({ user }) => user,
      as: ({ organization }, { id, displayName, email, known }) => ({
        _id: memberId(organization, id),
        name: fold(displayName),
        email: fold(email),
        // who has an account has not asked for this, and no identity provider that comes along speaks for them
        ...(known && { sso: false, unasked: true }),
      }),
    },
  }),
  owned<LinkInvite>('link_invites', { atOnce: true, needs: { spaces: ({ space }) => [space] } }),
  apart('invitations', 'their links lead to the former installation; administrators invite again'),
];
