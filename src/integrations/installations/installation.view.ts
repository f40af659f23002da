import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../../common/page.dto.js';
import type { Urls } from '../../common/urls.js';
import { type Configuration, isComplete } from '../declared/configuration.js';
import { declaredOf, type Integration } from '../integration.schema.js';
import { IntegrationView, scriptUrl } from '../integration.view.js';
import type { Installation, Selection } from './installation.schema.js';
import type { Placement, PlaceKind } from './placement.schema.js';

/** `pending`: something is required that is not set. `paused` is never set here. */
export type InstallationStatus = 'active' | 'pending' | 'paused';

/** Addresses of an installation. */
export class InstallationUrls {
  /** The installation in this API. */
  location!: string;
  /** The installation in the application. */
  app!: string;
  /** What of it is open to everybody: the script of the integration. */
  publicEndpoint!: string;
}

/** Where an installation is. */
export class InstallationTarget {
  /** Id of the organization. */
  organization!: string;
}

/** That an organization has an integration, as the API returns it. */
export class InstallationView {
  id!: string;
  /** `pending` while something that the integration requires is not set; `paused` is never set here. */
  status!: 'active' | 'pending' | 'paused';
  /** Whether it is on all spaces of the organization, or on those that somebody has chosen. */
  space_selection!: 'all' | 'selected';
  /** Whether it is on all sites of the organization, or on those that somebody has chosen. */
  site_selection!: 'all' | 'selected';
  /** How many spaces were chosen. */
  spaces!: number;
  @ApiProperty({ type: 'object', additionalProperties: true })
  configuration!: Configuration;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC. */
  updatedAt!: string;
  urls!: InstallationUrls;
  externalIds!: string[];
  target!: InstallationTarget;
}

export class InstallationPage extends PageOf(InstallationView) {}

/** An installation with what is installed. */
export class OrganizationInstallationView {
  installation!: InstallationView;
  integration!: IntegrationView;
}

export class OrganizationInstallationPage extends PageOf(OrganizationInstallationView) {}

/** Addresses of what an installation was put on. */
export class PlacementUrls {
  /** The same in this API. */
  location!: string;
  publicEndpoint!: string;
}

/** That an installation was put on something. */
export class PlacementView {
  /** Name of the integration. */
  integration!: string;
  /** Id of the installation. */
  installation!: string;
  /** `pending` while something that the integration requires there is not set; `paused` is never set here. */
  status!: 'active' | 'pending' | 'paused';
  @ApiProperty({ type: 'object', additionalProperties: true })
  configuration!: Configuration;
  externalIds!: string[];
  urls!: PlacementUrls;
}

/** That an installation was put on a space. */
export class SpaceInstallationView extends PlacementView {
  /** Id of the space. */
  space!: string;
}

/** That an installation was put on a site. */
export class SiteInstallationView extends PlacementView {
  /** Id of the site. */
  site!: string;
}

export class SpaceInstallationPage extends PageOf(SpaceInstallationView) {}
export class SiteInstallationPage extends PageOf(SiteInstallationView) {}

/** An installation, or what it was put on, with its configuration opened. */
export type Opened<T extends { configuration: string | null }> = Omit<T, 'configuration'> & {
  configuration: Configuration;
};

/** Whether an installation of `integration` has what it requires in the organization (decision 3.90). */
export function isActive({ configuration }: Opened<Installation>, integration: Pick<Integration, 'declared'>): boolean {
  return isComplete(configuration, declaredOf(integration).configurations.account);
}

/** Whether an installation of `integration` has what it requires on a space or a site, where `configuration` is set. */
export function isActiveOn(
  kind: PlaceKind,
  configuration: Configuration,
  integration: Pick<Integration, 'declared'>,
): boolean {
  return isComplete(configuration, declaredOf(integration).configurations[kind]);
}

const statusOf = (active: boolean): InstallationStatus => (active ? 'active' : 'pending');

/** Shapes `installation`, which is one of `integration`. */
export function toInstallation(
  installation: Opened<Installation>,
  { integration, urls }: { integration: Pick<Integration, 'declared'>; urls: Urls },
): InstallationView {
  const { _id: id, integration: name, organization, spaceSelection, siteSelection } = installation;
  return {
    id,
    status: statusOf(isActive(installation, integration)),
    space_selection: spaceSelection satisfies Selection,
    site_selection: siteSelection,
    spaces: installation.spaces,
    configuration: installation.configuration,
    createdAt: installation.createdAt.toISOString(),
    updatedAt: installation.updatedAt.toISOString(),
    urls: {
      location: urls.api('integrations', name, 'installations', id),
      app: urls.app('o', organization, 'integrations', name),
      publicEndpoint: scriptUrl(name, urls),
    },
    externalIds: installation.externalIds,
    target: { organization },
  };
}

/** Shapes `placement` on a space. */
export function toSpaceInstallation(placement: Opened<Placement>, around: Around): SpaceInstallationView {
  return { ...toPlacement('space', placement, around), space: placement.place };
}

/** Shapes `placement` on a site. */
export function toSiteInstallation(placement: Opened<Placement>, around: Around): SiteInstallationView {
  return { ...toPlacement('site', placement, around), site: placement.place };
}

interface Around {
  integration: Pick<Integration, 'declared'>;
  urls: Urls;
}

function toPlacement(kind: PlaceKind, placement: Opened<Placement>, { integration, urls }: Around): PlacementView {
  const { integration: name, installation, place, configuration } = placement;
  return {
    integration: name,
    installation,
    status: statusOf(isActiveOn(kind, configuration, integration)),
    configuration,
    externalIds: placement.externalIds,
    urls: {
      location: urls.api('integrations', name, 'installations', installation, `${kind}s`, place),
      publicEndpoint: scriptUrl(name, urls),
    },
  };
}
