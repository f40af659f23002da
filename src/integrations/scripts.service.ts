import { Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { Answers } from '../common/answers.js';
import { Urls } from '../common/urls.js';
import { type Site, type SiteScript, SiteScripts, SitesService } from '../sites/index.js';
import { policyHeader } from './declared/content-security-policy.js';
import { Configurations } from './installations/configurations.service.js';
import { isActive, isActiveOn } from './installations/installation.view.js';
import type { Installation } from './installations/installation.schema.js';
import { InstallationsService } from './installations/installations.service.js';
import type { Placement } from './installations/placement.schema.js';
import { isFor, PlacementsService } from './installations/placements.service.js';
import { declaredOf, type Integration } from './integration.schema.js';
import { scriptUrl } from './integration.view.js';
import { IntegrationsService } from './integrations.service.js';

/** A script that is served. */
export interface ServedScript {
  /** Hash of the text, see `Blobs`. */
  blob: string;
  version: number;
  /** The policy to send with it; `undefined`: its publisher names none. */
  contentSecurityPolicy: string | undefined;
}

/** The scripts that integrations have on the pages of sites (decision 3.17). */
@Injectable()
export class IntegrationScripts extends SiteScripts implements OnModuleInit {
  constructor(
    private readonly answers: Answers,
    private readonly integrations: IntegrationsService,
    private readonly installations: InstallationsService,
    private readonly placements: PlacementsService,
    private readonly configurations: Configurations,
    private readonly sites: SitesService,
    private readonly urls: Urls,
  ) {
    super();
  }

  /** Answers published sites. */
  onModuleInit(): void {
    this.answers.give(SiteScripts, this);
  }

  /** The scripts of `site`, in the order in which their integrations were installed. Four reads at the most. */
  async of({ _id: site, organization }: Pick<Site, '_id' | 'organization'>): Promise<SiteScript[]> {
    const placed = new Map((await this.placements.on('site', site)).map((one) => [one.installation, one]));
    const installed = await this.installations.onSite(organization, [...placed.keys()]);
    const integrations = await this.integrations.byNames(installed.map(({ integration }) => integration));
    return installed.flatMap((installation) => {
      const integration = integrations.get(installation.integration);
      if (!integration || !hasScript(integration)) return [];
      return this.isActive(integration, installation, placed.get(installation._id))
        ? this.shaped(integration, site)
        : [];
    });
  }

  /**
   * The script of the integration `name`, where it is installed on a published site: on `site`, where that is named (decision B.13).
   * @throws NotFoundException where it is not.
   */
  async served(name: string, site: string | undefined): Promise<ServedScript> {
    const integration = await this.integrations.find(name);
    if (!integration || !hasScript(integration) || !(await this.isPublished(name, site))) {
      throw new NotFoundException('There is no such script, or its integration is on no published site');
    }
    return { blob: integration.script, version: integration.version, contentSecurityPolicy: policyOf(integration) };
  }

  private async isPublished(name: string, id: string | undefined): Promise<boolean> {
    if (id === undefined) return this.placements.isOnPublishedSite(name);
    const site = await this.sites.findById(id);
    if (site?.published !== true) return false;
    return (
      (await this.placements.isOn(name, site._id)) || (await this.installations.isEverywhere(name, site.organization))
    );
  }

  /** Whether everything is set that the integration requires, in the organization and on the site. */
  private isActive(integration: Integration, installation: Installation, placement: Placement | undefined): boolean {
    const opened = this.configurations.tryToOpen(installation);
    const onSite = placement ? this.configurations.tryToOpen(placement)?.configuration : {};
    return (
      opened !== null &&
      onSite !== undefined &&
      isActive(opened, integration) &&
      isActiveOn('site', onSite, integration)
    );
  }

  private shaped(integration: Integration, site: string): SiteScript {
    const contentSecurityPolicy = policyOf(integration);
    // the version lets caches keep it; the site tells on which of them it is asked for
    const query = new URLSearchParams({ site, version: String(integration.version) });
    return {
      script: `${scriptUrl(integration._id, this.urls)}?${query.toString()}`,
      ...(contentSecurityPolicy !== undefined && { contentSecurityPolicy }),
      cookies: integration.scopes.includes('site:script:cookies'),
    };
  }
}

const hasScript = ({ scopes, target }: Integration): boolean =>
  scopes.includes('site:script:inject') && isFor(target, 'site');

function policyOf(integration: Integration): string | undefined {
  const { contentSecurityPolicy } = declaredOf(integration);
  return contentSecurityPolicy === undefined ? undefined : policyHeader(contentSecurityPolicy);
}
