/** Characters of a source at the most. */
export const MAX_SOURCE = 512;

/** A path of segments that are safe in addresses, without a slash at its end. */
export const SOURCE = /^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/;

/** The segments of `path` without their percent-encoding, empty ones left out; `null`: it cannot be decoded. */
export function segmentsOf(path: string): string[] | null {
  // half a surrogate pair has no form in addresses
  if (!path.isWellFormed()) return null;
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map((segment) => decodeURIComponent(segment));
  } catch {
    return null;
  }
}

/** The same text for all ways to write a path with these segments. */
export function keyOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

/** Whether `source` is how a redirect is written (decision B.9). */
export function isSource(source: string): boolean {
  return source.length <= MAX_SOURCE && SOURCE.test(source) && segmentsOf(source) !== null;
}
