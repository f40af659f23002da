import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { toUser, UsersService, UserView } from '../users/index.js';
import { type Actor, CurrentActor } from './actor.js';
import { AuthService } from './auth.service.js';
import { CreateTokenDto } from './dto/create-token.dto.js';
import { NewTokenView, TokenPage, toToken } from './token.view.js';
import { TokensService } from './tokens.service.js';

@ApiTags('accounts')
@Controller('v1/user')
export class UserController {
  constructor(
    private readonly auth: AuthService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly urls: Urls,
  ) {}

  /** Read who the token belongs to. */
  @Get()
  async getAuthenticatedUser(@CurrentActor() actor: Actor): Promise<UserView> {
    return toUser(await this.users.get(actor.user), this.urls, true);
  }

  /** List your API tokens. */
  @Get('tokens')
  async listApiTokens(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<TokenPage> {
    return mapPage(await this.tokens.list(actor.user, query), toToken);
  }

  /** Make an API token; the answer is the only one that shows it. */
  @Post('tokens')
  async createApiToken(
    @CurrentActor() actor: Actor,
    @Body() body: CreateTokenDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewTokenView> {
    const { token, record } = await this.auth.createToken(actor.user, body);
    response.location(this.urls.api('user', 'tokens', record._id));
    return { ...toToken(record), token };
  }

  /** Revoke an API token at once. */
  @Delete('tokens/:tokenId')
  @HttpCode(205)
  async deleteApiToken(@CurrentActor() actor: Actor, @Param('tokenId') tokenId: string): Promise<void> {
    await this.tokens.revoke(actor.user, tokenId);
  }
}
