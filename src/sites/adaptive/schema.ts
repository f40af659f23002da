/** A claim that is one value. */
export type ValueClaim =
  | { readonly type: 'boolean'; readonly description: string }
  | { readonly type: 'number'; readonly description: string }
  | { readonly type: 'string'; readonly description: string; readonly enum?: readonly string[] };

/** Claims that are grouped; nothing else belongs to the group. */
export interface ClaimGroup {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Readonly<Record<string, Claim>>;
  readonly additionalProperties: false;
}

/** What a schema declares of one claim (decision 3.13). */
export type Claim =
  | ValueClaim
  | { readonly type: 'array'; readonly description: string; readonly items: ValueClaim }
  | (ClaimGroup & { readonly description: string });

/**
 * The schema of what is known of visitors, in JSON Schema as the API takes and answers it. The property `unsigned` groups
 * the claims that nobody vouches for; every other property is a claim of the visitor's token. Plain JSON. Whoever keeps
 * it keeps it as JSON text: names begin with `$`, and may hold dots.
 */
export interface AdaptiveSchema {
  readonly $schema?: 'http://json-schema.org/draft-07/schema#';
  readonly $id?: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Claim | ClaimGroup>>;
  readonly additionalProperties: false;
}

/** The group of claims that nobody vouches for. */
export const UNSIGNED = 'unsigned';

/** Levels of claims at the most; a claim that stands in the schema or in `unsigned` is on the first. */
export const MAX_DEPTH = 5;
