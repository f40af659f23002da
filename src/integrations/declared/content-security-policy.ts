import { fail, objectAt, shown } from './reading.js';

/** The directives that a policy in its second form may name (decision 3.85). */
export const CSP_DIRECTIVES = [
  'base-uri',
  'block-all-mixed-content',
  'child-src',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'navigate-to',
  'object-src',
  'plugin-types',
  'prefetch-src',
  'referrer',
  'report-to',
  'report-uri',
  'require-sri-for',
  'require-trusted-types-for',
  'sandbox',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'upgrade-insecure-requests',
  'worker-src',
] as const;
export type CspDirective = (typeof CSP_DIRECTIVES)[number];

/** Characters of a policy: it is sent as a header. */
export const MAX_POLICY = 4096;

/** A policy in one of its two forms (decision 3.85). */
export type ContentSecurityPolicy = string | Partial<Record<CspDirective, string>>;

/**
 * `value` as a policy that can be sent as a header, in the form in which it came.
 * @throws DeclarationError naming what is at fault.
 */
export function readContentSecurityPolicy(value: unknown): ContentSecurityPolicy {
  const at = 'contentSecurityPolicy';
  if (typeof value === 'string') return printable(value, at);
  if (typeof value !== 'object') return fail(at, 'must be a string, or an object of directives');
  const given = objectAt(value, at);
  const read = [...given].map(([name, directive]) => {
    const place = `${at}.${shown(name)}`;
    if (!CSP_DIRECTIVES.some((one) => one === name)) fail(place, 'is no directive that can be set; leave it out');
    if (typeof directive !== 'string') return fail(place, 'must be a string');
    if (/[;,]/.test(directive)) fail(place, 'must hold no ";" and no ",": each directive has a name of its own');
    return [name, printable(directive, place)] as const;
  });
  const policy = Object.fromEntries(read) as ContentSecurityPolicy;
  printable(policyHeader(policy), at);
  return policy;
}

/** `policy` as the header has it. */
export function policyHeader(policy: ContentSecurityPolicy): string {
  if (typeof policy === 'string') return policy;
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');
}

function printable(text: string, at: string): string {
  if (text.length > MAX_POLICY) return fail(at, `must be at most ${String(MAX_POLICY)} characters long`);
  return /^[\x20-\x7e]*$/.test(text) ? text : fail(at, 'must be made of printable ASCII characters in one line');
}
