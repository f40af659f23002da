import { IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { OrganizationFields } from './organization-fields.dto.js';

/** Body of `POST /v1/orgs`. */
export class CreateOrganizationDto extends IntersectionType(
  PickType(OrganizationFields, ['title']),
  PartialType(PickType(OrganizationFields, ['emailDomains', 'type', 'useCase']), { skipNullProperties: false }),
) {}
