import type { Target } from '../access-table.js';

/** What the paths of operations lead to, and what else requests name. */
export type Name =
  | Target
  | (
      | 'trap'
      | 'trapPort'
      | 'hostname'
      | 'emailDomain'
      | 'signature'
      | 'token'
      | 'tokenId'
      | 'file'
      | 'subdomain'
      | 'siteURL'
      | 'fileQuery'
      | 'spaceURL'
      | 'email'
      | 'password'
    );

/** The names of things, as far as a request knows them: `other.` names those of another organization. */
export type Named = Record<Name, string> & { other: Partial<Record<Name, string>> };

/** What stands for the id of a thing of the scene; tildes pass through JSON and addresses as they are. */
export const reference = (name: Name): string => `~${name}~`;

/** `text` with the ids of the things that it refers to. */
export const resolved = (text: string, { other, ...own }: Named): string =>
  text.replace(
    /~(other\.)?(\w+)~/g,
    (whole, foreign: string | undefined, name: Name) => (foreign === undefined ? own[name] : other[name]) ?? whole,
  );

/** Things of every kind, of the organization and of another one. */
export const IDS: readonly string[] = (
  [
    ...[
      'organizationId',
      'spaceId',
      'collectionId',
      'pageId',
      'fileId',
      'documentId',
      'revisionId',
      'userId',
      'teamId',
    ],
    ...[
      'samlProviderId',
      'siteId',
      'siteSectionId',
      'siteSectionGroupId',
      'siteSpaceId',
      'shareLinkId',
      'siteRedirectId',
    ],
    ...[
      'webhookId',
      'deliveryId',
      'integrationName',
      'installationId',
      'changeRequestId',
      'commentId',
      'commentReplyId',
    ],
    ...['specSlug', 'versionId', 'translationSettingsId', 'inviteId'],
  ] as Target[]
).flatMap((name) => [`~${name}~`, `~other.${name}~`]);

/** What fields hold the ids of, by their name; fields that hold many are called the same. */
const FIELDS: Record<string, readonly Name[]> = {
  ...named(['space', 'spaceId', 'spaces'], 'spaceId'),
  ...named(['organization'], 'organizationId'),
  ...named(
    ['user', 'users', 'members', 'add', 'remove', 'bypass', 'owner', 'actor', 'authors', 'contributor'],
    'userId',
  ),
  ...named(['team', 'teams', 'defaultTeam'], 'teamId'),
  ...named(['parent', 'collection'], 'collectionId'),
  ...named(['page', 'pageId', 'targetPage', 'into'], 'pageId'),
  ...named(['file', 'ref'], 'fileId'),
  ...named(['document'], 'documentId'),
  ...named(['revision'], 'revisionId'),
  ...named(['reusableContent'], 'reusableContentId'),
  ...named(['site', 'siteId'], 'siteId'),
  ...named(['sectionId', 'siteSection', 'siteSectionId', 'sections', 'defaultSiteSection'], 'siteSectionId'),
  ...named(['siteSpace', 'siteSpaceId', 'siteSpaceIds', 'includedSiteSpaces', 'defaultSiteSpace'], 'siteSpaceId'),
  ...named(['spec'], 'specSlug'),
  ...named(['invite'], 'inviteId'),
  ...named(
    ['before', 'after', 'id'],
    'siteSectionId',
    'siteSpaceId',
    'pageId',
    'spaceId',
    'siteSectionGroupId',
    'collectionId',
  ),
  ...named(['resource'], 'spaceId', 'siteId', 'userId'),
  ...named(['from', 'to'], 'versionId'),
  ...named(['path'], 'pagePath'),
};

function named(fields: string[], ...names: Name[]): Record<string, readonly Name[]> {
  return Object.fromEntries(fields.map((field) => [field, names]));
}

/** References to what a field of that name holds the id of; none with a field that holds no id. */
export const referencesIn = (field: string): string[] =>
  (Object.hasOwn(FIELDS, field) ? (FIELDS[field] ?? []) : []).map(reference);
