import type { OpenAPIObject } from '@nestjs/swagger';

/** A schema of the description of the API that is written out, and refers to no other. */
export type SchemaObject = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string],
  { $ref: string }
>;
