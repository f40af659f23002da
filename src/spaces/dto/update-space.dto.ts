import { OmitType, PartialType } from '@nestjs/swagger';
import { SpaceFields } from './space-fields.dto.js';

/** Body of `PATCH /v1/spaces/:spaceId`; an absent field is left as it is. */
export class UpdateSpaceDto extends PartialType(OmitType(SpaceFields, ['parent']), { skipNullProperties: false }) {}
