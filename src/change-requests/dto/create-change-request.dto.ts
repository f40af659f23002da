import { PartialType, PickType } from '@nestjs/swagger';
import { OptionalBody } from '../../common/input.pipe.js';
import { ChangeRequestFields } from './change-request-fields.dto.js';

/** Body of `POST /v1/spaces/:spaceId/change-requests`; it may be left out. */
@OptionalBody()
export class CreateChangeRequestDto extends PartialType(PickType(ChangeRequestFields, ['subject']), {
  skipNullProperties: false,
}) {}
