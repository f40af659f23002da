/** Roles from the lowest to the highest; each includes what the ones before it may (decision 1.24). */
export const ROLES = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const;

/** What a member, a grant or a default level allows. A guest, or somebody without access, has `null` instead. */
export type Role = (typeof ROLES)[number];

/** Whether `role` includes `needed`; `null` (no role) includes nothing. */
export function atLeast(role: Role | null, needed: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The higher of two roles; `null` is below all of them. */
export function higherRole(one: Role | null, other: Role | null): Role | null {
  if (one === null) return other;
  return other !== null && atLeast(other, one) ? other : one;
}
