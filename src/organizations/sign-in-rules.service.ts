import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SignInRules } from '../auth/index.js';
import { Answers } from '../common/answers.js';
import { MembersService } from './members.service.js';
import { OrganizationsService } from './organizations.service.js';
import { ActiveProviders } from './questions.js';

/** Whom organizations let in by password (decision 3.42). */
@Injectable()
export class SignInRulesService implements SignInRules, OnModuleInit {
  private readonly providers: () => ActiveProviders;

  constructor(
    private readonly answers: Answers,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
  ) {
    this.providers = answers.ask(ActiveProviders);
  }

  /** Answers what sign-in asks. */
  onModuleInit(): void {
    this.answers.give(SignInRules, this);
  }

  /**
   * As {@link SignInRules.enforcedOn}. Three reads at most.
   *
   * Who belongs elsewhere is not bound by an organization that others added them to: it could shut anybody out of all of
   * theirs.
   */
  async enforcedOn(user: string): Promise<string | null> {
    const members = await this.members.organizationsOf(user);
    const bound = [...members]
      .filter(([, { role, unasked = false }]) => role !== 'admin' && !(unasked && members.size > 1))
      .map(([organization]) => organization);
    const demanding = bound.length === 0 ? [] : await this.organizations.demandingSso(bound);
    if (demanding.length === 0) return null;
    const active = await this.providers().among(demanding.map(({ _id }) => _id));
    return demanding.find(({ _id }) => active.has(_id))?.title ?? null;
  }
}
