import { apart, owned, type Rule } from '../database/index.js';
import type { SamlTrust } from './saml-trust.schema.js';
import { trustId } from './saml-trust.schema.js';

/** The organization and the person of the record with the id `id`. */
function partsOf(id: string): { organization: string; user: string } {
  const [organization = '', user = ''] = id.split(':');
  return { organization, user };
}

/** What of single sign-on goes where an organization goes. */
export const SAML_RECORDS: readonly Rule[] = [
  // whoever knows the id can sign in by it
  owned('saml_providers', { atOnce: true }),
  owned<SamlTrust>('saml_trusts', {
    // it has the id of the membership
    of: ['members'],
    by: '_id',
    atOnce: true,
    needs: { users: ({ _id }) => [partsOf(_id).user] },
    people: ({ _id }) => [partsOf(_id).user],
    arrive: {
      person: ({ _id }) => partsOf(_id).user,
      // else an organization could bring an identity provider for an account that was there before
      as: ({ _id }, { id, known }) => (known ? null : { _id: trustId(partsOf(_id).organization, id) }),
    },
  }),
  apart('saml_uses', 'they are of sign-ins that are over within minutes'),
];
