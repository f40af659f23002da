import { OmitType, PartialType } from '@nestjs/swagger';
import { CollectionFields } from './collection-fields.dto.js';

/** Body of `PATCH /v1/collections/:collectionId`; an absent field is left as it is. */
export class UpdateCollectionDto extends PartialType(OmitType(CollectionFields, ['parent']), {
  skipNullProperties: false,
}) {}
