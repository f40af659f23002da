import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { Described } from './shape.js';

/** Describes a property of a class as `described` says; `required`: whether it is always there. */
export function DescribedProperty({ required: inner, ...described }: Described, required: boolean): PropertyDecorator {
  // what is one of several shapes needs a type here all the same, and has none in the description
  const options = {
    type: 'object',
    ...described,
    ...(inner ? { required: inner, selfRequired: required } : { required }),
  };
  return ApiProperty(options as ApiPropertyOptions);
}
