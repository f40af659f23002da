import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { mistakeIn } from '../declared/reading.js';

/** What `read` takes; it throws a `DeclarationError` for anything else. The description shows it as `schema`. */
export function ReadBy(read: (value: unknown) => unknown, schema: ApiPropertyOptions): PropertyDecorator {
  const mistake = (value: unknown): string | undefined => mistakeIn(() => read(value));
  return applyDecorators(
    ApiProperty(schema),
    ValidateBy({
      name: 'readBy',
      validator: {
        validate: (value: unknown) => mistake(value) === undefined,
        defaultMessage: (args) => mistake(args?.value) ?? '',
      },
    }),
  );
}
