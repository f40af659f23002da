/** A property that the client's description demands, and that answers leave out on purpose. */
export interface LeftOut {
  property: string;
  /** The schemas of the client that demand it. */
  of: RegExp;
  why: string;
}

/** In what answers differ from the description of the published client (0.130.0); each must still be so. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    property: 'pricing',
    of: /^OrganizationBilling$/,
    why: 'nothing is sold here (decision 3.36)',
  },
  { property: 'ingestConversations', of: /^Organization$/, why: 'there are no conversations (decision B.12)' },
  ...['ssoURL', 'entityID', 'certificate'].map((property) => ({
    property,
    of: /^OrganizationSAMLProvider$/,
    why: 'a provider can be made before it is known (decision 3.47)',
  })),
  { property: 'agentsContext', of: /^Site$/, why: 'a field of other versions (decision 3.12)' },
  { property: 'kind', of: /^RevisionPage/, why: 'deprecated: `type` says it (decision 3.65)' },
];

/** In what values differ, with the places that say so. */
export const OTHERWISE: readonly { difference: RegExp; why: string }[] = [
  {
    difference: /^listOrganizationInviteLinks\/items\[\] must have required property 'role'/,
    why: 'links to spaces are listed, too (decision 3.44)',
  },
  {
    difference: /^listTeamPermissionsInSpace\/items\[\]\/permission must be /,
    why: 'an entry may be one without access (decision B.4)',
  },
];
