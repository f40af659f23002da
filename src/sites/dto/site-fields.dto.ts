import { IsBoolean, IsString, Matches } from 'class-validator';
import { OneOf, Text } from '../../common/validation.js';
import { SITE_VISIBILITIES, type SiteVisibility } from '../site.schema.js';

/** A host and a path on it. */
export const PROXY = /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/;

/** Whether conditions and claims of visitors decide what a site shows. */
export class AdaptiveContentDto {
  @IsBoolean()
  enabled!: boolean;
}

/** The fields of a site that bodies set. */
export class SiteFields {
  @Text(2, 128)
  title!: string;

  /** Whom the site admits while it is published. */
  @OneOf(SITE_VISIBILITIES)
  visibility!: SiteVisibility;

  /** Its segment in addresses: lower-case letters and digits, joined by single `-`. */
  @Text(1, 100)
  @Matches(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
    message: '$property must be lower-case letters and digits, in runs joined by single "-"',
  })
  basename!: string;

  /** Id of the site-space that is shown first: at the root, or in the default section. */
  @IsString()
  defaultSiteSpace!: string;

  /** Id of the section that is shown first. */
  @IsString()
  defaultSiteSection!: string;
}
