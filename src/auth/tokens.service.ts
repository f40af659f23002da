import { createHash } from 'node:crypto';
import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newSecret } from '../common/ids.js';
import type { Page, PageQuery } from '../common/page.dto.js';
import { findPage } from '../common/pagination.js';
import { Database } from '../database/index.js';
import type { Actor } from './actor.js';
import { Token, type TokenKind } from './token.schema.js';

/** What every token of ours begins with, so that scanners for leaked secrets know it. */
const PREFIX = 'colophon_';

/** How long a sign-in lasts, in ms (decision 6.1). */
const SESSION = 30 * 24 * 60 * 60 * 1000;

/** What a new token is made of. */
export interface NewToken {
  user: string;
  kind: TokenKind;
  label?: string;
  expiresAt?: Date | null;
  /** The token itself, where it is given from outside; else one is made. */
  secret?: string;
}

/** Bearer tokens: made, looked up by their hash, revoked. */
@Injectable()
export class TokensService {
  private readonly byHash: (hash: string) => Promise<Token | null>;

  constructor(
    @InjectModel(Token.name) private readonly tokens: Model<Token>,
    database: Database,
  ) {
    this.byHash = database.finder(tokens, 'hash');
  }

  /** Makes a token and answers it with its record; nobody can show it again. */
  async issue({
    user,
    kind,
    label = '',
    expiresAt = null,
    secret,
  }: NewToken): Promise<{ token: string; record: Token }> {
    const token = secret ?? PREFIX + newSecret();
    const record = await this.tokens.create({ user, kind, label, expiresAt, hash: hashOf(token) });
    return { token, record: record.toObject<Token>() };
  }

  /** Makes the token of a sign-in, good for 30 days. */
  async issueSession(user: string): Promise<string> {
    const { token } = await this.issue({ user, kind: 'session', expiresAt: new Date(Date.now() + SESSION) });
    return token;
  }

  /** Who acts with `token`, or `null` when it is unknown, revoked or expired. One read. */
  async authenticate(token: string): Promise<Actor | null> {
    const found = await this.byHash(hashOf(token));
    if (!found || (found.expiresAt && found.expiresAt.getTime() <= Date.now())) return null;
    return { user: found.user, token: found._id };
  }

  /** One page of the API tokens of `user`, newest first. */
  list(user: string, query: PageQuery): Promise<Page<Token>> {
    return findPage(this.tokens, { user, kind: 'api' }, query);
  }

  /** Ends the API token `id` of `user`. @throws NotFoundException when there is none. */
  async revoke(user: string, id: string): Promise<void> {
    const { deletedCount } = await this.tokens.deleteOne({ _id: id, user, kind: 'api' });
    if (deletedCount === 0) throw new NotFoundException('Token not found');
  }

  /** Ends all tokens of `user` that are of this kind. Answers how many there were. */
  async endAll(user: string, kind: TokenKind): Promise<number> {
    const { deletedCount } = await this.tokens.deleteMany({ user, kind });
    return deletedCount;
  }

  /** Ends the token that `actor` came with, of whatever kind. */
  async end(actor: Actor): Promise<void> {
    await this.tokens.deleteOne({ _id: actor.token });
  }
}

/** What a token is known by: SHA-256, in base64url. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
