/**
 * The domains that patterns of addresses (`urlUnfurl`) are on, as {@link domainsAsked} looks for them: a pattern for
 * `gist.github.com` is on `github.com` too, one for `*.figma.com` on everything below.
 */
export function domainsOf(patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap(domainsOfPattern))];
}

/** What a pattern on `domain` may have among its {@link domainsOf}: the domain, or something that stands for it. */
export function domainsAsked(domain: string): string[] {
  const asked = domain.toLowerCase();
  return [asked, ...above(asked).map((parent) => `*.${parent}`)];
}

function domainsOfPattern(pattern: string): string[] {
  const host = /^[a-z*][a-z0-9+.*-]*:\/\/([^/?#\s]+)/i.exec(pattern)?.[1];
  const name = host
    ?.replace(/^.*@/, '')
    .replace(/:[\d*]*$/, '')
    .toLowerCase();
  if (name === undefined || name === '') return [];
  const parent = /^\*+\.(.+)$/.exec(name)?.[1];
  return parent === undefined ? [name, ...above(name)] : [`*.${parent}`, parent, ...above(parent)];
}

/** The domains above `name`, but for the last label alone: nobody means all of `com`. */
function above(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}
