import { Injectable } from '@nestjs/common';
import type { Page } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { type Member, OrganizationsService } from '../organizations/index.js';
import { Configurations } from './installations/configurations.service.js';
import type { Installation } from './installations/installation.schema.js';
import {
  type InstallationView,
  type OrganizationInstallationView,
  toInstallation,
} from './installations/installation.view.js';
import type { Integration } from './integration.schema.js';
import { type IntegrationView, toIntegration } from './integration.view.js';
import { IntegrationsService } from './integrations.service.js';

/** Memberships of the caller, by organization. */
export type Memberships = ReadonlyMap<string, Member>;

/** What answers show of integrations and installations. */
@Injectable()
export class IntegrationAnswers {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly integrations: IntegrationsService,
    private readonly configurations: Configurations,
    private readonly urls: Urls,
  ) {}

  /** `integration` as somebody with `members` sees it. One read. */
  async integration(integration: Integration, members: Memberships): Promise<IntegrationView> {
    return (await this.ahead(integration.organization, members))(integration);
  }

  /**
   * What answers an integration of `organization` to somebody with `members`. What it takes is read now: so what is changed then is
   * not followed by a read that may fail. One read.
   */
  async ahead(organization: string, members: Memberships): Promise<(integration: Integration) => IntegrationView> {
    const owner = await this.organizations.get(organization);
    return (integration) => toIntegration(integration, { owner, members, urls: this.urls });
  }

  /** Several of them. One read. */
  async many(integrations: readonly Integration[], members: Memberships): Promise<IntegrationView[]> {
    const owners = await this.organizations.byIds(integrations.map(({ organization }) => organization));
    return integrations.flatMap((integration) => {
      const owner = owners.get(integration.organization);
      return owner ? toIntegration(integration, { owner, members, urls: this.urls }) : [];
    });
  }

  /** An installation of `integration`. No read. */
  installation(installation: Installation, integration: Pick<Integration, 'declared'>): InstallationView {
    return toInstallation(this.configurations.open(installation), { integration, urls: this.urls });
  }

  /** What an organization has installed, each with its integration. Two reads. */
  async installed(page: Page<Installation>, members: Memberships): Promise<Page<OrganizationInstallationView>> {
    const found = await this.integrations.byNames(page.items.map(({ integration }) => integration));
    const views = new Map((await this.many([...found.values()], members)).map((view) => [view.name, view]));
    const items = page.items.flatMap((installation) => {
      const [record, integration] = [found.get(installation.integration), views.get(installation.integration)];
      return record && integration ? { installation: this.installation(installation, record), integration } : [];
    });
    return { ...page, items };
  }
}
