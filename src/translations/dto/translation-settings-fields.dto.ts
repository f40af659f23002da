import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { Text } from '../../common/validation.js';
import { type Language, LANGUAGES } from '../languages.js';

/** One or more of {@link LANGUAGES}. */
const Languages = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'array', items: { type: 'string', enum: LANGUAGES }, minItems: 1 }),
    ValidateBy({
      name: 'languages',
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) &&
          value.length > 0 &&
          value.every((one) => LANGUAGES.some((language) => language === one)),
        defaultMessage: () => `languages must be a list of one or more of: ${LANGUAGES.join(', ')}`,
      },
    }),
  );

/** The fields of translation settings that bodies set. */
export class TranslationSettingsFields {
  @Text(1, 100)
  @ApiProperty({ example: 'Handbook in the languages of our offices' })
  title!: string;

  @Languages()
  languages!: Language[];
}
