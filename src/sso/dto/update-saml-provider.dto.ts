import { PartialType } from '@nestjs/swagger';
import { SamlProviderFields } from './saml-provider-fields.dto.js';

/** Body of `PATCH /v1/orgs/:organizationId/saml/:samlProviderId`; an absent field is left as it is (decision 5.26). */
export class UpdateSamlProviderDto extends PartialType(SamlProviderFields, { skipNullProperties: false }) {}
