import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
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

/** Body of `PUT /v1/orgs/:organizationId/sites/:siteId/adaptive-schema`. */
export class PutAdaptiveSchemaDto {
  /**
   * A closed JSON Schema of type `object`: claims of the type boolean, string, number, array of these, or object, each with
   * a `description`; `properties.unsigned` groups those that nobody signs. At most 100 claims in 5 levels.
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
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
