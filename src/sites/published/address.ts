import { parsedUrl } from '../../common/parsed-url.js';

/** Segments of a path that are looked at for where a proxy may show a site. */
const PROXY_SEGMENTS = 12;

/** What an address may mean: a site of an organization, or one that another server shows. */
export interface Candidates {
  /** Where this service publishes sites: name of the organization, basename of the site, and what follows. */
  own: { organization: string; basename: string; segments: string[] } | null;
  /**
   * Places under which a proxy may show a site, the longest first, each with what follows; none where this service
   * publishes: nobody gets the addresses of others by naming them as a proxy.
   */
  proxies: { key: string; segments: string[] }[];
}

/**
 * What `address` may mean where sites are published below `base`; `null` where it can mean nothing: it is no address, or
 * its path cannot be decoded.
 */
export function candidatesOf(address: string, base: string): Candidates | null {
  const asked = parsedUrl(address);
  if (!asked) return null;
  const { host, hostname, pathname } = asked;
  const segments = segmentsOf(pathname);
  if (!segments) return null;
  const own = new URL(base);
  const prefix = segmentsOf(own.pathname) ?? [];
  const isOwn =
    own.host === host && prefix.every((segment, index) => segments[index]?.toLowerCase() === segment.toLowerCase());
  const [organization, basename, ...rest] = segments.slice(prefix.length);
  const lengths = (isOwn ? [] : segments).slice(0, PROXY_SEGMENTS).map((_, index) => index + 1);
  return {
    own:
      isOwn && organization !== undefined && basename !== undefined ? { organization, basename, segments: rest } : null,
    proxies: lengths.reverse().map((length) => ({
      key: [hostname, ...segments.slice(0, length)].join('/'),
      segments: segments.slice(length),
    })),
  };
}

/** The segments of a path, decoded; `null` for one that cannot be. */
function segmentsOf(pathname: string): string[] | null {
  try {
    const segments = pathname.split('/').filter((segment) => segment !== '');
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return null;
  }
}

/** `base`, an address without a slash at its end, with `segments` behind it. */
export function below(base: string, segments: readonly string[]): string {
  return [base, ...segments.map(encodeURIComponent)].join('/');
}

/** The path of `address` without a slash at its end; `/` at the root. */
export function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/+$/, '') || '/';
}
