import { Injectable } from '@nestjs/common';
import { Urls } from '../common/urls.js';
import type { Member } from '../organizations/index.js';
import { TeamsService, TeamViews } from '../teams/index.js';
import type { SamlProvider } from './saml-provider.schema.js';
import { type SamlProviderView, toSamlProvider } from './saml-provider.view.js';

/** Identity providers as the API returns them, for whole lists at once. */
@Injectable()
export class SamlProviderViews {
  constructor(
    private readonly teams: TeamsService,
    private readonly teamViews: TeamViews,
    private readonly urls: Urls,
  ) {}

  /** `providers`, all of one organization, as `member` sees them, in their order. Two queries at most. */
  async of(providers: readonly SamlProvider[], member: Member): Promise<SamlProviderView[]> {
    const named = providers.flatMap(({ defaultTeam }) => (defaultTeam === null ? [] : [defaultTeam]));
    const teams = named.length === 0 ? [] : [...(await this.teams.findMany(member.organization, named)).values()];
    const views = new Map((await this.teamViews.of(teams, member)).map((team) => [team.id, team]));
    return providers.map((provider) => toSamlProvider(provider, views.get(provider.defaultTeam ?? ''), this.urls));
  }

  /** `provider` as `member` sees it. Two queries at most. */
  async one(provider: SamlProvider, member: Member): Promise<SamlProviderView> {
    const [view] = await this.of([provider], member);
    if (!view) throw new Error('The identity provider has no view');
    return view;
  }
}
