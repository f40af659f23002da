import { PartialType } from '@nestjs/swagger';
import { ChangeRequestFields } from './change-request-fields.dto.js';

/** Body of `PATCH /v1/spaces/:spaceId/change-requests/:changeRequestId`; an absent field is left as it is. */
export class UpdateChangeRequestDto extends PartialType(ChangeRequestFields, { skipNullProperties: false }) {}
