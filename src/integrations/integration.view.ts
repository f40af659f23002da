import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import { type Member, type Organization, OrganizationView, toOrganization } from '../organizations/index.js';
import type { ConfigurationSchemas } from './declared/configuration-schema.js';
import type { ContentSecurityPolicy } from './declared/content-security-policy.js';
import { IntegrationPermissions, integrationPermissions } from './integration.policy.js';
import {
  declaredOf,
  type Integration,
  INTEGRATION_CATEGORIES,
  INTEGRATION_SCOPES,
  type IntegrationCategory,
  type IntegrationImage,
  type IntegrationScope,
} from './integration.schema.js';

/** Addresses of an integration. */
export class IntegrationUrls {
  /** The integration in this API. */
  location!: string;
  icon?: string;
  /** The integration in the application. */
  app!: string;
  /** What the addresses of its images begin with. */
  assets!: string;
  /** What of it is open to everybody: its script. */
  publicEndpoint!: string;
}

/** How a block is written in Markdown. */
export class BlockMarkdownView {
  /** The language of fenced code that stands for the block. */
  codeblock!: string;
  /** Name of the property that holds the text of the code. */
  body!: string;
}

/** A block that an integration adds to pages. */
export class IntegrationBlockView {
  id!: string;
  title!: string;
  description?: string;
  icon?: string;
  /** Patterns of addresses that become the block. */
  urlUnfurl?: string[];
  markdown?: BlockMarkdownView;
}

/** What a content source asks for. */
export class ComponentView {
  componentId!: string;
}

/** Something that an integration makes pages of. */
export class IntegrationContentSourceView {
  id!: string;
  title!: string;
  description?: string;
  icon?: string;
  configuration!: ComponentView;
}

/** A link of the publisher. */
export class ExternalLinkView {
  url!: string;
  label!: string;
}

/** An integration, as the API returns it: without its script and its secrets. */
export class IntegrationView {
  object!: 'integration';
  name!: string;
  /** 1 at first, raised by each publication. */
  version!: number;
  title!: string;
  description!: string;
  /** Markdown. */
  summary?: string;
  /** Addresses of images. */
  previewImages!: string[];
  /** What it can be installed on. */
  target!: 'all' | 'site' | 'space' | 'organization';
  /** Always false. */
  verified!: boolean;
  /** Who finds it: everybody, the members of its owner, or whoever knows its name. */
  visibility!: 'public' | 'private' | 'unlisted';
  @ApiProperty({ type: 'string', enum: INTEGRATION_SCOPES, isArray: true })
  scopes!: IntegrationScope[];
  @ApiProperty({ type: 'string', enum: INTEGRATION_CATEGORIES, isArray: true })
  categories!: IntegrationCategory[];
  blocks!: IntegrationBlockView[];
  contentSources!: IntegrationContentSourceView[];
  /** What it asks for in an organization (`account`), a space and a site. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  configurations!: ConfigurationSchemas;
  externalLinks!: ExternalLinkView[];
  /** The organization that publishes it. */
  owner!: OrganizationView;
  urls!: IntegrationUrls;
  permissions!: IntegrationPermissions;
  /** In the form in which it was published. */
  @ApiProperty({
    required: false,
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
  })
  contentSecurityPolicy?: ContentSecurityPolicy;
}

export class IntegrationPage extends PageOf(IntegrationView) {}

/** What an integration is shaped with. */
export interface IntegrationSurroundings {
  /** The organization that publishes it. */
  owner: Organization;
  /** Memberships of the caller, by organization. */
  members: ReadonlyMap<string, Member>;
  urls: Urls;
}

/** Shapes `integration` for the caller. */
export function toIntegration(
  integration: Integration,
  { owner, members, urls }: IntegrationSurroundings,
): IntegrationView {
  const { blocks, contentSources, configurations, externalLinks, contentSecurityPolicy } = declaredOf(integration);
  const { _id: name, icon, summary } = integration;
  const imageUrl = (image: IntegrationImage): string => urls.api('integrations', name, 'assets', fileNameOf(image));
  return {
    object: 'integration',
    name,
    version: integration.version,
    title: integration.title,
    description: integration.description,
    ...(summary !== null && { summary }),
    previewImages: integration.previewImages.map(imageUrl),
    target: integration.target,
    verified: false,
    visibility: integration.visibility,
    scopes: integration.scopes,
    categories: integration.categories,
    blocks,
    contentSources,
    configurations,
    externalLinks,
    owner: toOrganization(owner, members.get(owner._id) ?? null, urls),
    urls: {
      location: urls.api('integrations', name),
      ...(icon !== null && { icon: imageUrl(icon) }),
      app: urls.app('integrations', name),
      assets: urls.api('integrations', name, 'assets'),
      publicEndpoint: scriptUrl(name, urls),
    },
    permissions: integrationPermissions(integration, members),
    ...(contentSecurityPolicy !== undefined && { contentSecurityPolicy }),
  };
}

/** The last part of the address of `image`. */
export const fileNameOf = ({ blob, ending }: IntegrationImage): string => `${blob}.${ending}`;

/** Where the script of the integration `name` is served. */
export const scriptUrl = (name: string, urls: Urls): string => urls.api('integrations', name, 'script');
