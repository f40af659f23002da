import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { Optional, Text } from '../../../common/validation.js';
import { MAX_SECTIONS } from '../structure.js';
import { Icon } from './structure-fields.dto.js';

const SECTIONS = `sections must be an array of at most ${String(MAX_SECTIONS)} ids of sections`;

/** Body of `POST …/section-groups`. */
export class CreateSectionGroupDto {
  @Text(1, 100)
  title!: string;

  @Icon()
  icon?: string | null;

  /** Ids of the sections to move into it, in that order. */
  @Optional()
  @IsArray({ message: SECTIONS })
  @ArrayMaxSize(MAX_SECTIONS, { message: SECTIONS })
  @IsString({ each: true, message: SECTIONS })
  @ApiPropertyOptional({ type: [String], maxItems: MAX_SECTIONS })
  sections?: string[];
}

/** Body of `PATCH …/section-groups/:siteSectionGroupId`; an absent field is left as it is. */
export class UpdateSectionGroupDto {
  @Optional()
  @Text(1, 100)
  title?: string;

  @Icon()
  icon?: string | null;
}

/** Body of `POST …/section-groups/:siteSectionGroupId/sections`. */
export class AddSectionToGroupDto {
  @IsString()
  sectionId!: string;
}
