export type { DescribedOperation, DescribedTag, Outline } from './description/outline.js';
export { OpenApiModule } from './openapi.module.js';
export { OpenApiSpecs } from './openapi-specs.service.js';
export type { OpenApiSpec } from './openapi-spec.schema.js';
export { openApiSpecPermissions } from './openapi-spec.policy.js';
export { OpenApiSpecView, toOpenApiSpec } from './openapi-spec.view.js';
export type { DescribedVersion } from './openapi-versions.service.js';
