import { OmitType, PartialType } from '@nestjs/swagger';
import { OptionalBody } from '../../common/input.pipe.js';
import { SpaceFields } from './space-fields.dto.js';

/** Body of `POST /v1/orgs/:organizationId/spaces`; it may be left out. */
@OptionalBody()
export class CreateSpaceDto extends PartialType(OmitType(SpaceFields, ['defaultLevel']), {
  skipNullProperties: false,
}) {}
