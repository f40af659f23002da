import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import type { SchemaObject } from '../../../common/schema-object.js';
import { type AdaptiveSchema, AdaptiveSchemaError, readAdaptiveSchema } from '../../adaptive/index.js';

/** What is wrong with `value` as an adaptive schema; `undefined`: nothing. */
function mistakeIn(value: unknown): string | undefined {
  try {
    readAdaptiveSchema(value);
    return undefined;
  } catch (error) {
    if (error instanceof AdaptiveSchemaError) return error.message;
    throw error;
  }
}

const DESCRIPTION = { type: 'string' as const };
/** Nothing but what is declared. */
const CLOSED = { type: 'boolean' as const, enum: [false] };

const valueClaim = (type: string, rest: Record<string, SchemaObject> = {}): SchemaObject => ({
  type: 'object',
  required: ['type', 'description'],
  properties: { type: { type: 'string', enum: [type] }, ...rest, description: DESCRIPTION },
  additionalProperties: false,
});

const VALUE_CLAIMS = [
  valueClaim('boolean'),
  valueClaim('string', { enum: { type: 'array', items: { type: 'string' } } }),
  valueClaim('number'),
];

/** A claim; what groups of claims hold is described no deeper. */
const CLAIM: SchemaObject = {
  oneOf: [
    ...VALUE_CLAIMS,
    {
      type: 'object',
      required: ['type', 'description', 'items'],
      properties: {
        type: { type: 'string', enum: ['array'] },
        description: DESCRIPTION,
        items: { oneOf: VALUE_CLAIMS },
      },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['type', 'description', 'properties'],
      properties: {
        type: { type: 'string', enum: ['object'] },
        description: DESCRIPTION,
        properties: { type: 'object', additionalProperties: { type: 'object' } },
        additionalProperties: CLOSED,
      },
      additionalProperties: false,
    },
  ],
};

/** The description of an adaptive schema (decision 3.13). */
const ADAPTIVE_SCHEMA: ApiPropertyOptions = {
  selfRequired: true,
  type: 'object',
  required: ['type', 'properties'],
  properties: {
    $schema: { type: 'string', enum: ['http://json-schema.org/draft-07/schema#'] },
    $id: { type: 'string' },
    type: { type: 'string', enum: ['object'] },
    properties: {
      type: 'object',
      properties: {
        unsigned: {
          type: 'object',
          required: ['type', 'properties'],
          properties: {
            type: { type: 'string', enum: ['object'] },
            description: DESCRIPTION,
            properties: { type: 'object', additionalProperties: CLAIM },
            additionalProperties: CLOSED,
          },
        },
      },
      additionalProperties: CLAIM,
    },
    additionalProperties: CLOSED,
  },
  additionalProperties: false,
};

/** Body of `PUT /v1/orgs/:organizationId/sites/:siteId/adaptive-schema`. */
export class PutAdaptiveSchemaDto {
  /**
   * A closed JSON Schema of type `object`: claims of the type boolean, string, number, array of these, or object, each with
   * a `description`; `properties.unsigned` groups those that nobody signs. At most 100 claims in 5 levels.
   */
  @ApiProperty(ADAPTIVE_SCHEMA)
  @ValidateBy({
    name: 'adaptiveSchema',
    validator: {
      validate: (value: unknown) => mistakeIn(value) === undefined,
      defaultMessage: (args) => mistakeIn(args?.value) ?? '',
    },
  })
  jsonSchema!: object;
}

/** The schema in a checked body. */
export function schemaOf({ jsonSchema }: PutAdaptiveSchemaDto): AdaptiveSchema {
  return readAdaptiveSchema(jsonSchema);
}
