import { PartialType, PickType } from '@nestjs/swagger';
import { OptionalBody } from '../../common/input.pipe.js';
import { CollectionFields } from './collection-fields.dto.js';

/** Body of `POST /v1/orgs/:organizationId/collections`; it may be left out. */
@OptionalBody()
export class CreateCollectionDto extends PartialType(PickType(CollectionFields, ['title', 'parent']), {
  skipNullProperties: false,
}) {}
