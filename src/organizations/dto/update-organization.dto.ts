import { OmitType, PartialType } from '@nestjs/swagger';
import { OrganizationFields } from './organization-fields.dto.js';

/** Body of `PATCH /v1/orgs/:organizationId`; an absent field is left as it is. */
export class UpdateOrganizationDto extends PartialType(OmitType(OrganizationFields, ['type', 'useCase']), {
  skipNullProperties: false,
}) {}
