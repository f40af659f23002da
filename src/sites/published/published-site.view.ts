import { ApiProperty } from '@nestjs/swagger';
import { CustomizationView } from '../customization/customization.view.js';
import { SiteRedirectView } from '../redirects/redirect.view.js';
import { SiteView } from '../site.view.js';
import { SiteStructureView } from '../structure/structure.view.js';

/** What a site looks like: as a whole, and where site-spaces have settings of their own. */
export class PublishedCustomizationsView {
  site!: CustomizationView;
  /** By the id of the site-space, all settings of those that have any of their own. */
  @ApiProperty({ type: 'object', additionalProperties: { $ref: '#/components/schemas/CustomizationView' } })
  siteSpaces!: Record<string, CustomizationView>;
}

/** A script on the pages of a site. */
export class SiteScriptView {
  /** Address of the script. */
  script!: string;
  contentSecurityPolicy?: string;
  /** Whether it may set cookies. */
  cookies!: boolean;
}

/** All that is needed to show a site, but for the content of its spaces. */
export class PublishedSiteView {
  object!: 'published-content-site';
  site!: SiteView;
  structure!: SiteStructureView;
  customizations!: PublishedCustomizationsView;
  scripts!: SiteScriptView[];
}

/** A redirect, and the address that it leads to. */
export class ResolvedSiteRedirectView {
  redirect!: SiteRedirectView;
  /** An absolute address. */
  target!: string;
}
