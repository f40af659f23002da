import { PickType } from '@nestjs/swagger';
import { OpenApiSpecFields } from './spec-fields.dto.js';

/** Body of `PUT /v1/orgs/:organizationId/openapi/:specSlug`. */
export class PutOpenApiSpecDto extends PickType(OpenApiSpecFields, ['source']) {}
