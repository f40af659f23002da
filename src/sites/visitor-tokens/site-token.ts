import { createHash } from 'node:crypto';
import type { SecretKey } from '../../config/index.js';
import type { Claims } from '../adaptive/index.js';

/** What the token of a published address stands for. */
export interface SiteTokenContent {
  organization: string;
  site: string;
  siteSpace: string;
  space: string;
  /** Spaces of the site. The token keeps the first 100; whether a space is on the site is asked of the site. */
  spaces: readonly string[];
  /** The published state, by {@link publishedState}. */
  state: string;
  /** What the visitor's conditions read. */
  claims: Claims;
  /** Id of the share link that admitted the visitor. */
  shareLink?: string;
  /** What stands for the key that has signed the visitor's own token; there where the visitor brought one that counts. */
  visitorKey?: string;
}

/** A token that was read. */
export interface SiteToken extends SiteTokenContent {
  kind: 'site';
  /** Seconds since 1970. */
  exp: number;
}

const PURPOSE = 'site token';
const HOUR = 60 * 60;
/** A header of 16 KiB, which is what a server takes, has to hold the token. */
const MAX_SPACES = 100;
const MAX_LENGTH = 16_384;

/** All tokens begin with the same words, so no header of somebody else's choice is ever read. */
const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');

/**
 * The token that reads the content of a published site (decision 6.5): a JSON Web Token, signed with HS256 and a key of
 * this purpose alone. It is the same text within the hour for the same content, and works until the end of the next full
 * hour.
 */
export function issueSiteToken(key: SecretKey, content: SiteTokenContent, now = new Date()): string {
  const { organization, site, siteSpace, space, spaces, state, claims, shareLink, visitorKey } = content;
  const exp = (Math.floor(secondsOf(now) / HOUR) + 2) * HOUR;
  const payload = {
    kind: 'site',
    organization,
    site,
    siteSpace,
    space,
    spaces: spaces.slice(0, MAX_SPACES),
    state,
    ...(shareLink !== undefined && { shareLink }),
    ...(visitorKey !== undefined && { visitorKey }),
    claims,
    exp,
  };
  const signed = `${HEADER}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
  return `${signed}.${key.sign(PURPOSE, signed)}`;
}

/**
 * What `token` stands for; `null` when it is forged, expired or something else. Other bearer tokens are told apart by how
 * they begin. Says nothing about now: whether the site is still published, the share link active and the key in use, is asked of them.
 */
export function readSiteToken(key: SecretKey, token: string, now = new Date()): SiteToken | null {
  if (token.length > MAX_LENGTH || !token.startsWith(`${HEADER}.`)) return null;
  const end = token.lastIndexOf('.');
  const signed = token.slice(0, end);
  if (!key.verify(PURPOSE, signed, token.slice(end + 1))) return null;
  // nothing but issueSiteToken signs for this purpose, so this is what it wrote
  const payload = JSON.parse(Buffer.from(signed.slice(HEADER.length + 1), 'base64url').toString()) as SiteToken;
  return payload.exp > secondsOf(now) ? payload : null;
}

/**
 * A hash of what a site shows: its own version and the revisions of its spaces, in any order. 43 characters of base64url.
 */
export function publishedState(
  version: string | number,
  revisions: readonly { space: string; revision: string }[],
): string {
  const pairs = revisions.map(({ space, revision }) => JSON.stringify([space, revision])).sort();
  return createHash('sha256')
    .update(JSON.stringify([version, ...pairs]))
    .digest('base64url');
}

function secondsOf(date: Date): number {
  return date.getTime() / 1000;
}
