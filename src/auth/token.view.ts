import { PageOf } from '../common/page.dto.js';
import type { Token } from './token.schema.js';

/** An API token, as the API returns it: without the token itself. */
export class TokenView {
  id!: string;
  label!: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC; absent for a token that does not expire. */
  expiresAt?: string;
}

/** A new API token; the only answer that ever shows it. */
export class NewTokenView extends TokenView {
  /** To be sent as `Authorization: Bearer …`. Keep it: it is shown this once. */
  token!: string;
}

export class TokenPage extends PageOf(TokenView) {}

/** Shapes `token`. */
export function toToken(token: Token): TokenView {
  return {
    id: token._id,
    label: token.label,
    createdAt: token.createdAt.toISOString(),
    ...(token.expiresAt && { expiresAt: token.expiresAt.toISOString() }),
  };
}
