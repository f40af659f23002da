/** What a subdomain leads to. */
export class SubdomainTargetView {
  type!: 'organization';
  /** Id of the organization. */
  organization!: string;
}

/** A name that an organization holds for the addresses of its sites, the present one or a former one. */
export class SubdomainView {
  object!: 'subdomain';
  subdomain!: string;
  target!: SubdomainTargetView;
  /** Whether the organization is not blocked; none is here. */
  isActive!: boolean;
}

/** Shapes the name `subdomain` of `organization`. */
export function toSubdomain(subdomain: string, organization: string): SubdomainView {
  return { object: 'subdomain', subdomain, target: { type: 'organization', organization }, isActive: true };
}
