import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { MongooseModule } from '@nestjs/mongoose';
import { PassportModule } from '@nestjs/passport';
import { keeps } from '../database/index.js';
import { UsersModule } from '../users/index.js';
import { ActingInterceptor } from './acting.interceptor.js';
import { AuthController } from './auth.controller.js';
import { BearerGuard } from './auth.guard.js';
import { AUTH_RECORDS } from './auth.records.js';
import { AuthService } from './auth.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { RateCount, RateCountSchema } from './rate-count.schema.js';
import { RateCounts } from './rate-counts.service.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimits } from './rate-limits.js';
import { SignInFailure, SignInFailureSchema } from './sign-in-failure.schema.js';
import { SignInFailures } from './sign-in-failures.service.js';
import { Token, TokenSchema } from './token.schema.js';
import { TokensService } from './tokens.service.js';
import { UserController } from './user.controller.js';
import { VisitorGuard } from './visitor.guard.js';

/** Tokens, and the guards that every request passes first: who is it (401), how often (429), and is it for them (403 to
 * visitors of sites). */
@Module({
  imports: [
    PassportModule,
    UsersModule,
    MongooseModule.forFeature([
      { name: Token.name, schema: TokenSchema },
      { name: RateCount.name, schema: RateCountSchema },
      { name: SignInFailure.name, schema: SignInFailureSchema },
    ]),
  ],
  controllers: [AuthController, UserController],
  providers: [
    keeps(AUTH_RECORDS),
    AuthService,
    SignInFailures,
    TokensService,
    BearerStrategy,
    RateCounts,
    RateLimits,
    { provide: APP_GUARD, useClass: BearerGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: VisitorGuard },
    { provide: APP_INTERCEPTOR, useClass: ActingInterceptor },
  ],
  exports: [RateLimits, TokensService],
})
export class AuthModule {}
