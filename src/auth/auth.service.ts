import { BadRequestException, ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { Config } from '../config/index.js';
import { type User, UsersService } from '../users/index.js';
import type { CreateTokenDto } from './dto/create-token.dto.js';
import type { LoginDto } from './dto/login.dto.js';
import type { RegisterDto } from './dto/register.dto.js';
import type { Token } from './token.schema.js';
import { TokensService } from './tokens.service.js';

/** Registration, sign-in and personal tokens. */
@Injectable()
export class AuthService {
  constructor(
    private readonly config: Config,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Makes an account and signs it in.
   * @throws ForbiddenException where registration is not open, ConflictException when the address has an account.
   */
  async register({ email, displayName, password }: RegisterDto): Promise<{ user: User; token: string }> {
    if (this.config.REGISTRATION === 'closed') {
      throw new ForbiddenException('Registration is closed on this service; ask an administrator for an account');
    }
    if (this.config.REGISTRATION === 'invited') {
      throw new ForbiddenException('Registration needs a valid invitation; ask an administrator for one');
    }
    const user = await this.users.create({ email, displayName, password });
    return { user, token: await this.tokens.issueSession(user._id) };
  }

  /** Signs somebody in. @throws UnauthorizedException when address and password do not belong together. */
  async login({ email, password }: LoginDto): Promise<{ user: User; token: string }> {
    const user = await this.users.verify(email, password);
    if (!user) throw new UnauthorizedException('The e-mail address or the password is wrong');
    return { user, token: await this.tokens.issueSession(user._id) };
  }

  /** Makes an API token for `user`. @throws BadRequestException when it would already have expired. */
  async createToken(user: string, { label, expiresAt }: CreateTokenDto): Promise<{ token: string; record: Token }> {
    const end = expiresAt === undefined ? null : new Date(expiresAt);
    if (end && !(end.getTime() > Date.now())) throw new BadRequestException('expiresAt must lie in the future');
    return this.tokens.issue({ user, kind: 'api', label, expiresAt: end });
  }
}
