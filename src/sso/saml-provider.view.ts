import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import type { Urls } from '../common/urls.js';
import { TeamView } from '../teams/index.js';
import { isActive, type ProviderStatus, type SamlProvider } from './saml-provider.schema.js';

/** What the identity provider has to know of this service; it never changes. */
export class SamlServiceView {
  /** Where responses are sent, by POST. */
  acsURL!: string;
  /** Where people begin to sign in. */
  startURL!: string;
  /** What this service is called; its metadata is read there. */
  entityID!: string;
}

export class SamlProviderUrls {
  /** The identity provider in this API. */
  location!: string;
}

/** An identity provider, as the API returns it (decision 3.47). */
export class SamlProviderView {
  object!: 'saml-provider';
  id!: string;
  label!: string;
  /** Where people sign in. */
  ssoURL?: string;
  /** What the identity provider calls itself. */
  entityID?: string;
  /** What it signs with, as it was entered. */
  certificate?: string;
  /** The team that new people join. */
  defaultTeam?: TeamView;
  /** Role of new people; `null`: guests. */
  defaultRole!: Role | null;
  /** `active` as soon as `ssoURL`, `entityID` and `certificate` are set. */
  status!: ProviderStatus;
  /** ISO 8601, UTC. */
  createdAt!: string;
  service!: SamlServiceView;
  urls!: SamlProviderUrls;
}

export class SamlProviderPage extends PageOf(SamlProviderView) {}

/** Where people of an organization begin to sign in. */
export class SamlLoginView {
  /** Id of the identity provider. */
  id!: string;
  label!: string;
  startURL!: string;
}

/** All identity providers that people can sign in by. */
export class SamlLoginsView {
  items!: SamlLoginView[];
}

/** What the identity provider `id` has to know of this service. */
export function toSamlService(id: string, urls: Urls): SamlServiceView {
  return {
    acsURL: urls.service('saml', id, 'acs'),
    startURL: urls.service('saml', id, 'login'),
    entityID: urls.service('saml', id, 'metadata'),
  };
}

/** Shapes `provider`; `team` is its default team as the caller sees it. */
export function toSamlProvider(provider: SamlProvider, team: TeamView | undefined, urls: Urls): SamlProviderView {
  return {
    object: 'saml-provider',
    id: provider._id,
    label: provider.label,
    ...(provider.ssoURL !== null && { ssoURL: provider.ssoURL }),
    ...(provider.entityID !== null && { entityID: provider.entityID }),
    ...(provider.certificate !== null && { certificate: provider.certificate }),
    ...(team && { defaultTeam: team }),
    defaultRole: provider.defaultRole,
    status: isActive(provider) ? 'active' : 'pending',
    createdAt: provider.createdAt.toISOString(),
    service: toSamlService(provider._id, urls),
    urls: { location: urls.api('orgs', provider.organization, 'saml', provider._id) },
  };
}

/** Shapes `provider` for a list of entries to sign in by. */
export function toSamlLogin({ _id, label }: Pick<SamlProvider, '_id' | 'label'>, urls: Urls): SamlLoginView {
  return { id: _id, label, startURL: toSamlService(_id, urls).startURL };
}
