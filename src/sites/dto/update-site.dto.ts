import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, Matches, ValidateNested } from 'class-validator';
import { Nullable, Optional, Text } from '../../common/validation.js';
import { AdaptiveContentDto, PROXY, SiteFields } from './site-fields.dto.js';

/** Body of `PATCH /v1/orgs/:organizationId/sites/:siteId`; an absent field is left as it is. */
export class UpdateSiteDto extends PartialType(SiteFields, { skipNullProperties: false }) {
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => AdaptiveContentDto)
  adaptiveContent?: AdaptiveContentDto;

  /** Host and path of another server that shows the site, such as `example.com/docs`; `null` removes it. */
  @Nullable()
  @Text(1, 512)
  @Matches(PROXY, { message: '$property must be a host and a path on it, such as example.com/docs' })
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 512, pattern: PROXY.source })
  proxy?: string | null;
}
