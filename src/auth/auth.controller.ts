import { Body, Controller, HttpCode, Ip, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { toUser } from '../users/index.js';
import { type Actor, CurrentActor } from './actor.js';
import { Open } from './auth.guard.js';
import { AuthService } from './auth.service.js';
import { LoginDto } from './dto/login.dto.js';
import { RegisterDto } from './dto/register.dto.js';
import { SignIn } from './rate-limit.guard.js';
import { SessionView } from './session.view.js';
import { TokensService } from './tokens.service.js';

@ApiTags('accounts')
@Controller('v1/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly tokens: TokensService,
    private readonly urls: Urls,
  ) {}

  /** Make an account and sign in. */
  @Post('register')
  @Fails(403, 409)
  @Open()
  @SignIn()
  async register(@Body() body: RegisterDto, @Res({ passthrough: true }) response: Response): Promise<SessionView> {
    const { user, token } = await this.auth.register(body);
    const view = toUser(user, this.urls, true);
    response.location(view.urls.location);
    return { user: view, token };
  }

  /** Sign in with e-mail address and password. */
  @Post('login')
  @Fails(401, 403)
  @HttpCode(200)
  @Open()
  @SignIn()
  async login(@Body() body: LoginDto, @Ip() address: string): Promise<SessionView> {
    const { user, token } = await this.auth.login(body, address);
    return { user: toUser(user, this.urls, true), token };
  }

  /** Revoke the token that the request came with. */
  @Post('logout')
  @HttpCode(204)
  async logout(@CurrentActor() actor: Actor): Promise<void> {
    await this.tokens.end(actor);
  }
}
