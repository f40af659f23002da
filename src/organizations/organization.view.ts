import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import type { Urls } from '../common/urls.js';
import { OrganizationPermissions, organizationPermissions, type Standing } from './organization.policy.js';
import type { Organization } from './organization.schema.js';

/** Addresses of an organization. */
export class OrganizationUrls {
  /** The organization in this API. */
  location!: string;
  /** The organization in the application. */
  app!: string;
  logo?: string;
}

/** What an organization shows first. */
export class DefaultContentView {
  type!: 'site';
  /** Id of the site. */
  site!: string;
}

/** Always the free plan: this service sells nothing. Shown to administrators. */
export class BillingView {
  interval!: 'monthly' | 'yearly';
  /** When it ends, or `null`: it does not. */
  endDate!: string | null;
  hasPaymentFailed!: boolean;
  isScheduledToCancel!: boolean;
}

/** Always `notapplicable`, without an end or a decision: nothing is sold here. */
export class TrialView {
  status!: 'notapplicable' | 'none' | 'active' | 'ended' | 'expired';
  /** ISO 8601, UTC. */
  endDate?: string;
  decision?: 'downgrade';
}

/** Why an organization cannot be used. */
export class BlockedView {
  reason!: 'security';
}

/** An organization, as the API returns it. */
export class OrganizationView {
  object!: 'organization';
  id!: string;
  title!: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  emailDomains!: string[];
  /** Default hostname of public content. */
  hostname?: string;
  type!: 'business' | 'community';
  useCase?: string;
  /** Of communities. */
  communityType?: 'nonProfit' | 'openSource' | 'education';
  /** Role that invitations preset; `null`: guest. */
  defaultRole!: Role | null;
  defaultContent?: DefaultContentView;
  /** Whether everybody but administrators must sign in through single sign-on. */
  sso!: boolean;
  ai!: boolean;
  /** Whether invitation links can be used. */
  inviteLinks!: boolean;
  /** Hostname of its own; nothing sets one. */
  customHostname?: string;
  /** Absent unless it cannot be used; nothing sets it. */
  blocked?: BlockedView;
  plan!: 'free_2024';
  billing?: BillingView;
  trial!: TrialView;
  /** Always true; kept for old clients. */
  internal_isOnNewTrial!: boolean;
  urls!: OrganizationUrls;
  permissions!: OrganizationPermissions;
}

export class OrganizationPage extends PageOf(OrganizationView) {}

/** Organizations that go with an e-mail domain. */
export class OrganizationsView {
  organizations!: OrganizationView[];
}

/** Shapes `organization` for the caller whose membership is `member` (`null`: a stranger). */
export function toOrganization(organization: Organization, member: Standing | null, urls: Urls): OrganizationView {
  const permissions = organizationPermissions(member);
  return {
    object: 'organization',
    id: organization._id,
    title: organization.title,
    createdAt: organization.createdAt.toISOString(),
    emailDomains: organization.emailDomains,
    hostname: organization.hostname,
    type: organization.type,
    ...(organization.useCase !== null && { useCase: organization.useCase }),
    defaultRole: organization.defaultRole,
    ...(organization.defaultSite !== null && { defaultContent: { type: 'site', site: organization.defaultSite } }),
    sso: organization.sso,
    ai: organization.ai,
    inviteLinks: organization.inviteLinks,
    plan: 'free_2024',
    ...(permissions.viewBilling && {
      billing: { interval: 'monthly', endDate: null, hasPaymentFailed: false, isScheduledToCancel: false },
    }),
    trial: { status: 'notapplicable' },
    internal_isOnNewTrial: true,
    urls: {
      location: urls.api('orgs', organization._id),
      app: urls.app('o', organization._id),
      ...(organization.logo !== null && { logo: organization.logo }),
    },
    permissions,
  };
}
