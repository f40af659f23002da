import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { Nullable, OneOf, Optional } from '../../common/validation.js';
import type { Item, Position } from '../places.service.js';

/** A space or a collection that something is put beside. */
export class MoveAnchorDto {
  @OneOf(['space', 'collection'])
  type!: 'space' | 'collection';

  /** With `space`: its id. */
  @ValidateIf(({ type }: MoveAnchorDto) => type === 'space')
  @IsString()
  space?: string;

  /** With `collection`: its id. */
  @ValidateIf(({ type }: MoveAnchorDto) => type === 'collection')
  @IsString()
  collection?: string;
}

const anchored = (type: 'space' | 'collection') => ({
  type: 'object' as const,
  required: ['type', type],
  properties: { type: { type: 'string' as const, enum: [type] }, [type]: { type: 'string' as const } },
});

/** The description of what something is put beside. */
const ANCHOR: ApiPropertyOptions = { oneOf: [anchored('space'), anchored('collection')] };

/** Where something is put; at the end when it names no anchor. */
export class MovePositionDto {
  /** What to stand directly before. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => MoveAnchorDto)
  @ApiPropertyOptional(ANCHOR)
  before?: MoveAnchorDto;

  /** What to stand directly after. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => MoveAnchorDto)
  @ApiPropertyOptional(ANCHOR)
  after?: MoveAnchorDto;
}

/** Body of `POST /v1/spaces/:spaceId/move` and `POST /v1/collections/:collectionId/move`. */
export class MoveDto {
  /** Id of the collection to stand in, `null` for the root of the organization; left out, the present one. */
  @Nullable()
  @IsString()
  @ApiPropertyOptional({ type: String, nullable: true })
  parent?: string | null;

  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => MovePositionDto)
  position?: MovePositionDto;
}

/** The position that `position` says. */
export function toPosition({ before, after }: MovePositionDto = {}): Position {
  return { ...(before && { before: toItem(before) }), ...(after && { after: toItem(after) }) };
}

function toItem({ type, space, collection }: MoveAnchorDto): Item {
  return { kind: type, id: (type === 'space' ? space : collection) ?? '' };
}
