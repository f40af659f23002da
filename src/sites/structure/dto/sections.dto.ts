import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Nullable, Optional, Text } from '../../../common/validation.js';
import { Condition, Icon, Path, SpaceReferenceFields } from './structure-fields.dto.js';

/** Body of `POST …/sections`. */
export class CreateSectionDto extends SpaceReferenceFields {
  /** Left out, or `null`: the title of the space. */
  @Nullable()
  @Text(2, 64)
  @ApiProperty({ type: String, nullable: true, required: false, minLength: 2, maxLength: 64 })
  title?: string | null;
}

/** Body of `PATCH …/sections/:siteSectionId`; an absent field is left as it is. */
export class UpdateSectionDto {
  @Optional()
  @Text(2, 128)
  title?: string;

  @Optional()
  @Path()
  path?: string;

  /** Id of a site-space in the section. */
  @Optional()
  @IsString()
  defaultSiteSpace?: string;

  @Condition()
  condition?: string | null;

  @Icon()
  icon?: string | null;

  /** `null` removes it. */
  @Nullable()
  @Text(0, 256)
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 256 })
  description?: string | null;
}
