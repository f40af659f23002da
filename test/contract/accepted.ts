/** In what the service departs from the contract on purpose, and why; each must still be so. */
export const ACCEPTED: readonly { difference: RegExp; why: string }[] = [
  {
    difference: /^\w*Sites?\w*\.hostname is not described$/,
    why: 'nothing sets the hostname of a site (decision 3.4)',
  },
  { difference: /\.internal_billingMigration is not described$/, why: 'nothing sets it (decision 3.38)' },
  { difference: /Space\w*\.urls\.icon is not described$/, why: 'it is always absent (decision 3.34)' },
  { difference: /^getPageById\?evaluated is not of the contract$/, why: 'public clients send it' },
  {
    difference: /^updateOrganizationInviteById\.(?:level is not of the contract|role is not required)$/,
    why: 'an invitation to a space has a level in place of a role (decision 3.44)',
  },
  { difference: /SAMLProvider\.defaultTeam: nullable is true/, why: '`null` takes the default team away again' },
  { difference: /: minLength is 1 instead of none$/, why: 'an empty id, emoji or address is a mistake: it is told so' },
  { difference: /^updateSiteById\.basename: pattern /, why: 'it is a segment of addresses' },
  { difference: /^listIntegrations\?blockDomain: pattern /, why: 'a domain has a hundred characters at most' },
  {
    difference: /^getPageById\.computed\.\w+ may be missing$/,
    why: 'what generates the pages says what it needs (decision 3.69)',
  },
];
