import {
  BadRequestException,
  ConflictException,
  Injectable,
  NotFoundException,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, madeWith, removedWith } from '../audit/index.js';
import { Answers } from '../common/answers.js';
import { DomainEvents } from '../common/domain-events.js';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { ActiveProviders } from '../organizations/index.js';
import { TeamsService } from '../teams/index.js';
import type { CreateSamlProviderDto } from './dto/create-saml-provider.dto.js';
import type { UpdateSamlProviderDto } from './dto/update-saml-provider.dto.js';
import { ACTIVE, type ActiveProvider, isActive, MAX_PROVIDERS, SamlProvider } from './saml-provider.schema.js';

/** The identity providers of organizations. */
@Injectable()
export class SamlProvidersService implements ActiveProviders, OnModuleInit {
  constructor(
    @InjectModel(SamlProvider.name) private readonly providers: Model<SamlProvider>,
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly audit: Audit,
    private readonly answers: Answers,
    private readonly events: DomainEvents,
  ) {}

  /** Answers what organizations ask, and forgets teams that are deleted (decision 5.25). */
  onModuleInit(): void {
    this.answers.give(ActiveProviders, this);
    this.events.on('team.deleted', async ({ organization, team }) => {
      await this.providers.updateMany({ organization, defaultTeam: team }, { $set: { defaultTeam: null } });
    });
  }

  /** As {@link ActiveProviders.among}. */
  async among(organizations: readonly string[]): Promise<Set<string>> {
    const found = await this.providers
      .find({ organization: { $in: [...organizations] }, ...ACTIVE }, { organization: 1 })
      .lean<Pick<SamlProvider, 'organization'>[]>();
    return new Set(found.map(({ organization }) => organization));
  }

  /** One page of the identity providers of `organization`, newest first. */
  list(organization: string, query: ListQuery): Promise<Page<SamlProvider>> {
    return findPage(this.providers, { organization }, query);
  }

  /** All that people of `organization` can sign in by, newest first (decision 5.27); at most {@link MAX_PROVIDERS}. */
  listActive(organization: string): Promise<SamlProvider[]> {
    return this.providers
      .find({ organization, ...ACTIVE })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_PROVIDERS)
      .lean<SamlProvider[]>();
  }

  /** The identity provider `id` of `organization`. @throws NotFoundException when there is none. */
  async get(organization: string, id: string): Promise<SamlProvider> {
    const provider = await this.getAny(id);
    if (provider.organization !== organization) throw notFound();
    return provider;
  }

  /** The identity provider `id`, of whichever organization. @throws NotFoundException when it is unknown. */
  async getAny(id: string): Promise<SamlProvider> {
    const provider = isId(id) ? await this.providers.findById(id).lean<SamlProvider>() : null;
    if (!provider) throw notFound();
    return provider;
  }

  /** The identity provider `id`, that people can sign in by. @throws NotFoundException when it is unknown, or pending. */
  async getActive(id: string): Promise<ActiveProvider> {
    const provider = await this.getAny(id);
    if (!isActive(provider)) throw notFound();
    return provider;
  }

  /**
   * Adds an identity provider.
   * @throws BadRequestException for a team of others, ConflictException when the organization has as many as there may be.
   */
  create(organization: string, body: CreateSamlProviderDto): Promise<SamlProvider> {
    return this.database.transaction(async () => {
      if ((await this.providers.countDocuments({ organization })) >= MAX_PROVIDERS) {
        throw new ConflictException(`An organization has at most ${String(MAX_PROVIDERS)} identity providers`);
      }
      await this.holdTeam(organization, body.defaultTeam);
      const [made] = await this.providers.create([{ organization, ...fieldsOf(body) }]);
      if (!made) throw new Error('The identity provider was not made');
      const changes = madeWith(fieldsOf(body));
      await this.audit.record({ organization, action: 'saml-provider.create', id: made._id, changes });
      return made.toObject<SamlProvider>();
    });
  }

  /**
   * Changes what `body` names.
   * @throws BadRequestException for a team of others, NotFoundException when the identity provider is gone.
   */
  update({ _id, organization }: SamlProvider, body: UpdateSamlProviderDto): Promise<SamlProvider> {
    return this.database.transaction(async () => {
      await this.holdTeam(organization, body.defaultTeam);
      const before = await this.get(organization, _id);
      const set = fieldsOf(body);
      const changed = await this.providers
        .findOneAndUpdate({ _id }, { $set: { ...set } }, { returnDocument: 'after' })
        .lean<SamlProvider>();
      if (!changed) throw notFound();
      const action = 'saml-provider.update';
      await this.audit.recordUpdate({ organization, action, id: _id }, [before, changed], set);
      return changed;
    });
  }

  /** Removes an identity provider; who came in by it stays a member. @throws NotFoundException when it is gone. */
  remove({ _id, organization, label }: SamlProvider): Promise<void> {
    return this.database.transaction(async () => {
      const { deletedCount } = await this.providers.deleteOne({ _id });
      if (deletedCount === 0) throw notFound();
      const changes = removedWith({ label });
      await this.audit.record({ organization, action: 'saml-provider.delete', id: _id, changes });
    });
  }

  /** Has `team` stay until the surrounding transaction has ended. @throws BadRequestException for one of others. */
  private async holdTeam(organization: string, team: string | null | undefined): Promise<void> {
    if (team === null || team === undefined) return;
    if (!(await this.teams.hold(organization, [team])).has(team)) {
      throw new BadRequestException('defaultTeam must be the id of a team of this organization');
    }
  }
}

/** The fields that `body` sets, an empty text as none. */
function fieldsOf(body: UpdateSamlProviderDto): Partial<SamlProvider> {
  const { label, ssoURL, entityID, certificate, defaultTeam, defaultRole } = body;
  return {
    ...(label !== undefined && { label }),
    ...(ssoURL !== undefined && { ssoURL }),
    ...(entityID !== undefined && { entityID: entityID === '' ? null : entityID }),
    ...(certificate !== undefined && { certificate: certificate === '' ? null : certificate }),
    ...(defaultTeam !== undefined && { defaultTeam }),
    ...(defaultRole !== undefined && { defaultRole }),
  };
}

function notFound(): NotFoundException {
  return new NotFoundException('SAML provider not found');
}
