/** In what the service departs from the contract on purpose, and why; each must still be so. */
export const ACCEPTED: readonly { difference: RegExp; why: string }[] = [
  {
    difference: /^\w*Sites?\w*\.hostname is not described$/,
    why: 'nothing sets the hostname of a site (decision 3.4)',
  },
  { difference: /\.internal_billingMigration is not described$/, why: 'nothing sets it (decision 3.38)' },
  { difference: /Space\w*\.urls\.icon is not described$/, why: 'it is always absent (decision 3.34)' },
  { difference: /^getPage\w*\?evaluated is not of the contract$/, why: 'public clients send it' },
  {
    difference: /^get\w*Changes\?(?:metadata|computed) is not of the contract$/,
    why: 'public clients send it with revisions',
  },
  {
    difference: /^updateOrganizationInviteById\.(?:level is not of the contract|role is not required)$/,
    why: 'an invitation to a space has a level in place of a role (decision 3.44)',
  },
  { difference: /SAMLProvider\.defaultTeam: nullable is true/, why: '`null` takes the default team away again' },
  { difference: /: minLength is 1 instead of none$/, why: 'an empty id, emoji or address is a mistake: it is told so' },
  { difference: /^updateSiteById\.basename: pattern /, why: 'it is a segment of addresses' },
  { difference: /^listIntegrations\?blockDomain: pattern /, why: 'a domain has a hundred characters at most' },
  {
    difference: /^getPage\w*\.computed\.\w+ may be missing$/,
    why: 'what generates the pages says what it needs (decision 3.69)',
  },
  { difference: /^updateUserById\.photoURL: nullable is true/, why: '`null` takes the picture away again' },
  { difference: /\.emails: minItems is 1 instead of none$/, why: 'to invite nobody is a mistake: it is told so' },
  {
    difference: /\.changes\[\]\|[01]\.(?:layout|cover) is not of the contract$/,
    why: 'what a page shows can be read (decisions 3.67, 3.68), so it can be set',
  },
  {
    difference: /\.changes\[\]\|1\.(?:target|computed) is not of the contract$/,
    why: 'what is set when a page is added can be changed',
  },
  {
    difference: /^downloadFile\?\w+ is not of the contract$/,
    why: 'addresses of files hold their type and name, signed (decision 3.77)',
  },
  {
    difference: /Review\w*\.reviewer may be missing$|^getContributors\w*\.user may be missing$/,
    why: 'a person of whom there is no record any more is left out',
  },
  {
    difference: /\.ResolvedContent\.changeRequest is not described$/,
    why: 'addresses of sites lead to what is published alone',
  },
  {
    difference: /PublishingAuth\w*\.integration is not described$/,
    why: 'the body has no field that names one (decision B.9)',
  },
];
