import { PickType } from '@nestjs/swagger';
import { OpenApiSpecFields } from './spec-fields.dto.js';

/** Body of `POST /v1/orgs/:organizationId/openapi`. */
export class CreateOpenApiSpecDto extends PickType(OpenApiSpecFields, ['slug', 'source']) {}
