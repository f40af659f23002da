import { BadRequestException, ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { actAs } from '../audit/index.js';
import { Answers } from '../common/answers.js';
import { Config } from '../config/index.js';
import { Database } from '../database/index.js';
import { type NewUser, type User, UsersService } from '../users/index.js';
import type { CreateTokenDto } from './dto/create-token.dto.js';
import type { LoginDto } from './dto/login.dto.js';
import type { RegisterDto } from './dto/register.dto.js';
import { type Admission, Invitations, SignInRules } from './questions.js';
import { SignInFailures } from './sign-in-failures.service.js';
import type { Token } from './token.schema.js';
import { TokensService } from './tokens.service.js';

/** What whoever has no password that is good is told. */
const WRONG = 'The e-mail address or the password is wrong';

/** Registration, sign-in and personal tokens. */
@Injectable()
export class AuthService {
  private readonly invitations: () => Invitations;
  private readonly rules: () => SignInRules;

  constructor(
    answers: Answers,
    private readonly config: Config,
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly failures: SignInFailures,
  ) {
    this.invitations = answers.ask(Invitations);
    this.rules = answers.ask(SignInRules);
  }

  /**
   * Makes an account and signs it in; with the secret of an invitation as `invite`, the account is what was invited, a
   * member from the beginning.
   *
   * @throws ForbiddenException where registration is not open and there is no valid invitation, or where the organization
   * of the invitation demands single sign-on; ConflictException when the address has an account.
   */
  async register({ email, displayName, password, invite }: RegisterDto): Promise<{ user: User; token: string }> {
    const { REGISTRATION } = this.config;
    if (REGISTRATION === 'closed') {
      throw new ForbiddenException('Registration is closed on this service; ask an administrator for an account');
    }
    const admission = invite === undefined ? null : await this.invitations().find(invite, email);
    if (!admission && (REGISTRATION === 'invited' || invite !== undefined)) {
      throw new ForbiddenException('Registration needs a valid invitation; ask an administrator for one');
    }
    const passwordHash = await this.users.hash(password);
    return this.database.transaction(async () => {
      const made = await this.settle({ email, displayName, passwordHash }, admission);
      // who registers does what follows from it
      if (admission) await actAs(made._id, () => admission.accept(made._id));
      await this.checkRules(made);
      // an invitation that was accepted lets nobody in a second time
      return { user: made, token: await this.tokens.issueSession(made._id) };
    });
  }

  /**
   * Signs somebody in.
   *
   * @param address Where the request comes from, as failures are counted by it.
   * @throws UnauthorizedException when e-mail address and password do not belong together, ForbiddenException where an
   * organization demands single sign-on, HttpException 429 after too many failures.
   */
  async login({ email, password }: LoginDto, address: string): Promise<{ user: User; token: string }> {
    const attempt = await this.failures.begin(email, address);
    const user = await this.users.verify(email, password);
    if (!user) throw new UnauthorizedException(WRONG);
    await attempt.succeeded();
    await this.checkRules(user);
    return this.database.transaction(async () => {
      // a new password ends what somebody is signed in with: it must not come between
      if (!(await this.users.holdPassword(user))) throw new UnauthorizedException(WRONG);
      return { user, token: await this.tokens.issueSession(user._id) };
    });
  }

  /** Makes an API token for `user`. @throws BadRequestException when it would already have expired. */
  async createToken(user: string, { label, expiresAt }: CreateTokenDto): Promise<{ token: string; record: Token }> {
    const end = expiresAt === undefined ? null : new Date(expiresAt);
    if (end && !(end.getTime() > Date.now())) throw new BadRequestException('expiresAt must lie in the future');
    // a single write, but one that has to happen once for each Idempotency-Key
    return this.database.transaction(() => this.tokens.issue({ user, kind: 'api', label, expiresAt: end }));
  }

  /** The person who registers: new, or who was invited, or for whom nobody waits any more. */
  private async settle(person: NewUser, admission: Admission | null): Promise<User> {
    if (admission?.user) return this.users.claim(admission.user, person);
    const known = await this.users.findByEmail(person.email);
    if (known?.placeholder && (await this.invitations().isForgotten(known))) return this.users.claim(known._id, person);
    return this.users.create(person);
  }

  private async checkRules({ _id }: User): Promise<void> {
    const organization = await this.rules().enforcedOn(_id);
    if (organization === null) return;
    throw new ForbiddenException(`Your organization "${organization}" asks you to use its single sign-on`);
  }
}
