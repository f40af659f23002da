import { ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { OptionalBody } from '../../common/input.pipe.js';
import type { EditMode } from '../space.schema.js';
import { SpaceFields } from './space-fields.dto.js';

/** Body of `POST /v1/orgs/:organizationId/spaces`; it may be left out. */
@OptionalBody()
export class CreateSpaceDto extends PartialType(OmitType(SpaceFields, ['defaultLevel']), {
  skipNullProperties: false,
}) {
  @ApiPropertyOptional({ default: 'Untitled' })
  override title?: string;

  @ApiPropertyOptional({ default: '📄' })
  override emoji?: string;

  @ApiPropertyOptional({ default: 'live' })
  override editMode?: EditMode;
}
