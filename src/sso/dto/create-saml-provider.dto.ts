import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { SamlProviderFields } from './saml-provider-fields.dto.js';

/** Body of `POST /v1/orgs/:organizationId/saml`. */
export class CreateSamlProviderDto extends IntersectionType(
  PickType(SamlProviderFields, ['label']),
  PartialType(OmitType(SamlProviderFields, ['label']), { skipNullProperties: false }),
) {}
