import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { Actor } from './actor.js';
import { TokensService } from './tokens.service.js';

/** Finds the actor of a bearer token. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly tokens: TokensService) {
    super();
  }

  /** Looks at the header alone: the strategy would take `access_token` out of queries and bodies as well. */
  override authenticate(request: Request): void {
    super.authenticate({ headers: { authorization: request.headers.authorization } } as Request);
  }

  /** The actor, or `false` when the token is no good. */
  async validate(token: string): Promise<Actor | false> {
    return (await this.tokens.authenticate(token)) ?? false;
  }
}
