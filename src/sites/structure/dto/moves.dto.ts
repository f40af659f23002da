import type { Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsString, ValidateNested } from 'class-validator';
import { OptionalBody } from '../../../common/input.pipe.js';
import { OneOf, Optional } from '../../../common/validation.js';
import type { Position } from '../positions.js';

/** Kinds of things that the structure of a site is made of. */
const PART_TYPES = ['site-space', 'site-section', 'site-section-group'] as const;

/** A section that another is put beside. */
export class SectionAnchorDto {
  @OneOf(['site-section'])
  type!: 'site-section';

  /** Its id. */
  @IsString()
  siteSection!: string;
}

/** A group, or a section at the top level, that a group is put beside. */
export class GroupAnchorDto {
  @OneOf(['site-section', 'site-section-group'])
  type!: 'site-section' | 'site-section-group';

  @IsString()
  id!: string;
}

/** A site-space that another is put beside. */
export class SiteSpaceAnchorDto {
  @OneOf(['site-space'])
  type!: 'site-space';

  /** Its id. */
  @IsString()
  siteSpace!: string;
}

/** Something on a site. */
export class PartDto {
  @OneOf(PART_TYPES)
  type!: (typeof PART_TYPES)[number];

  @IsString()
  id!: string;
}

/** Where something is put; at the end when it names no anchor. */
interface PositionOf<T> {
  before?: T;
  after?: T;
}

/** Where something is put, beside anchors of the class `anchor`. */
function PositionBeside<T extends object>(anchor: Class<T>): Class<PositionOf<T>> {
  class PositionDto implements PositionOf<T> {
    @Optional()
    @IsObject()
    @ValidateNested()
    @Type(() => anchor)
    @ApiProperty({ type: anchor, required: false, description: 'What to stand directly before.' })
    before?: T;

    @Optional()
    @IsObject()
    @ValidateNested()
    @Type(() => anchor)
    @ApiProperty({ type: anchor, required: false, description: 'What to stand directly after.' })
    after?: T;
  }
  return PositionDto;
}

/** Where a section is put. */
export class SectionPositionDto extends PositionBeside(SectionAnchorDto) {}
/** Where a group is put. */
export class GroupPositionDto extends PositionBeside(GroupAnchorDto) {}
/** Where a site-space is put. */
export class SiteSpacePositionDto extends PositionBeside(SiteSpaceAnchorDto) {}
/** Where something on a site is put. */
export class PartPositionDto extends PositionBeside(PartDto) {}

/** Body of `POST …/sections/:siteSectionId/move`. */
@OptionalBody()
export class MoveSectionDto {
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => SectionPositionDto)
  position?: SectionPositionDto;
}

/** Body of `POST …/section-groups/:siteSectionGroupId/move`. */
@OptionalBody()
export class MoveGroupDto {
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => GroupPositionDto)
  position?: GroupPositionDto;
}

/** Body of `POST …/site-spaces/:siteSpaceId/move`. */
@OptionalBody()
export class MoveSiteSpaceDto {
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => SiteSpacePositionDto)
  position?: SiteSpacePositionDto;
}

/** Body of `PATCH …/structure/sort`. */
export class SortStructureDto {
  /** What to move. */
  @IsObject()
  @ValidateNested()
  @Type(() => PartDto)
  item!: PartDto;

  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => PartPositionDto)
  position?: PartPositionDto;
}

/** The position that `position` says, where `idOf` tells the id of an anchor. */
export function positionOf<T>(position: PositionOf<T> | undefined, idOf: (anchor: T) => string): Position {
  const { before, after } = position ?? {};
  return { ...(before && { before: idOf(before) }), ...(after && { after: idOf(after) }) };
}
