/**
 * Adaptive content: what is known of a visitor, and what of it counts.
 *
 * The schema of a site declares claims (decision 3.13); {@link readAdaptiveSchema} checks one before it is stored, and
 * throws an {@link AdaptiveSchemaError} that names the place. A visitor brings claims in two ways: signed, in the token
 * that `visitor-tokens` verifies, and unsigned, in the address ({@link unsignedClaimsOf}) or in a body. {@link claimsOf}
 * makes of both what conditions read: what the schema declares, in the types that it declares, the unsigned claims under
 * `unsigned` alone. Anybody can forge those, so nothing secret may depend on them.
 *
 * {@link stateHash} is the same for visitors whose claims are the same: it stands for the claims wherever answers are
 * kept or compared.
 */
export { type Claims, claimsOf, type ClaimValue } from './claims.js';
export { AdaptiveSchemaError, readAdaptiveSchema } from './read-schema.js';
export type { AdaptiveSchema } from './schema.js';
export { stateHash } from './state-hash.js';
export { unsignedClaimsOf } from './unsigned-claims.js';
