import { type AdaptiveSchema, type Claim, type ClaimGroup, UNSIGNED } from './schema.js';

/** Bytes of JSON that the claims of either kind may take: they travel in the token of a visitor's session. */
const MAX_SIGNED = 4096;
const MAX_UNSIGNED = 2048;

export type ClaimValue = string | number | boolean | readonly ClaimValue[] | { readonly [name: string]: ClaimValue };

/** What conditions read as `visitor.claims`: plain JSON. `unsigned` is always there. */
export type Claims = Readonly<Record<string, ClaimValue>> & { readonly unsigned: Readonly<Record<string, ClaimValue>> };

/**
 * The claims of a visitor that `schema` declares: of the visitor's token (`signed`), and under `unsigned` those that
 * nobody vouches for. Without a schema there are none. A claim that the schema does not declare, of another type, or
 * outside its `enum` is dropped; so is a list with a single item of another type. What a token names `unsigned` is
 * dropped, whatever the schema says. What is no object counts as none; claims of one kind that take more JSON than 4096
 * bytes (signed) or 2048 bytes (unsigned) count as none, all of them. Never throws.
 */
export function claimsOf(schema: AdaptiveSchema | null, signed: unknown, unsigned: unknown): Claims {
  const { [UNSIGNED]: open, ...vouched } = schema?.properties ?? {};
  const declared = within(filtered(vouched as Record<string, Claim>, signed), MAX_SIGNED);
  return {
    ...declared,
    unsigned: within(filtered(open ? (open as ClaimGroup).properties : {}, unsigned), MAX_UNSIGNED),
  };
}

/** Of `value` what `properties` declare. */
function filtered(properties: Readonly<Record<string, Claim>>, value: unknown): Record<string, ClaimValue> {
  if (!isObject(value)) return {};
  const entries: [string, ClaimValue][] = [];
  for (const [name, claim] of Object.entries(properties)) {
    const found = Object.hasOwn(value, name) ? declaredOf(claim, value[name]) : undefined;
    if (found !== undefined) entries.push([name, found]);
  }
  return Object.fromEntries(entries);
}

/** `value` where it is what `claim` declares, else `undefined`. */
function declaredOf(claim: Claim, value: unknown): ClaimValue | undefined {
  switch (claim.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'string':
      return typeof value === 'string' && (claim.enum?.includes(value) ?? true) ? value : undefined;
    case 'array':
      return listOf(claim.items, value);
    case 'object':
      return isObject(value) ? filtered(claim.properties, value) : undefined;
  }
}

function listOf(items: Claim, value: unknown): readonly ClaimValue[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: ClaimValue[] = [];
  for (const item of value as unknown[]) {
    const found = declaredOf(items, item);
    if (found === undefined) return undefined;
    list.push(found);
  }
  return list;
}

/** `claims`, or none where they take more than `bytes` as JSON. */
function within(claims: Record<string, ClaimValue>, bytes: number): Record<string, ClaimValue> {
  return Buffer.byteLength(JSON.stringify(claims)) <= bytes ? claims : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
