import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { Answers } from '../common/answers.js';
import type { Caller } from './actor.js';
import { SiteTokens } from './questions.js';
import { hashOf, TokensService } from './tokens.service.js';

/** Finds who sends a bearer token: a person, or the visitor of a published site. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  private readonly siteTokens: () => SiteTokens;

  constructor(
    private readonly tokens: TokensService,
    answers: Answers,
  ) {
    super();
    this.siteTokens = answers.ask(SiteTokens, { visitor: () => Promise.resolve(null) });
  }

  /** Looks at the header alone: the strategy would take `access_token` out of queries and bodies as well. */
  override authenticate(request: Request): void {
    super.authenticate({ headers: { authorization: request.headers.authorization } } as Request);
  }

  /** The caller, or `false` when the token is no good. */
  async validate(token: string): Promise<Caller | false> {
    // that of a site is three parts with dots between; a person's has dots only where it was given from outside
    if (!token.includes('.')) return (await this.tokens.authenticate(token)) ?? false;
    const visitor = await this.siteTokens().visitor(token);
    return visitor ? { ...visitor, token: hashOf(token) } : ((await this.tokens.authenticate(token)) ?? false);
  }
}
