import { ApiProperty } from '@nestjs/swagger';
import type { AdaptiveSchema } from '../adaptive/index.js';
import type { DatedSchema } from './adaptive-schemas.service.js';

/** What a site knows of its visitors, as the API returns it. */
export class SiteAdaptiveSchemaView {
  object!: 'site-adaptive-schema';
  /** The schema, in the part of JSON Schema that is accepted. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  jsonSchema!: AdaptiveSchema;
  /** When it was set. ISO 8601, UTC. */
  updatedAt!: string;
}

/** Shapes a schema. */
export function toAdaptiveSchema({ jsonSchema, updatedAt }: DatedSchema): SiteAdaptiveSchemaView {
  return { object: 'site-adaptive-schema', jsonSchema, updatedAt: updatedAt.toISOString() };
}
