import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { isStorable, isWebAddress, lengthOf } from '../../common/validation.js';
import type { Source } from '../openapi-specs.service.js';
import { isSlug, SLUG } from '../slug.js';

const MAX_URL = 2048;

/** A slug of 1 to 100 characters. */
const Slug = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'string', minLength: 1, maxLength: 100, pattern: SLUG.source, example: 'petstore' }),
    ValidateBy({
      name: 'slug',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isSlug(value),
        defaultMessage: () =>
          'slug must be 1 to 100 characters long: small letters and digits, in words that are joined by "-"',
      },
    }),
  );

/** An address or a text, one of them. */
const SourceOf = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      oneOf: [
        {
          type: 'object',
          required: ['url'],
          properties: { url: { type: 'string', format: 'uri', maxLength: MAX_URL } },
        },
        {
          type: 'object',
          required: ['text'],
          properties: { text: { type: 'string', minLength: 1, description: 'JSON or YAML' } },
        },
      ],
      example: { url: 'https://example.org/openapi.json' },
    }),
    ValidateBy({
      name: 'source',
      validator: {
        validate: (value: unknown) => mistakeIn(value) === undefined,
        defaultMessage: (args) => mistakeIn(args?.value) ?? '',
      },
    }),
  );

/** What is wrong with a source; `undefined` when nothing is. */
function mistakeIn(source: unknown): string | undefined {
  if (typeof source !== 'object' || source === null) return 'source must be an object with either url or text';
  const { url, text } = source as { url?: unknown; text?: unknown };
  if ((url === undefined) === (text === undefined)) return 'source must have either url or text, one of them';
  if (text !== undefined) {
    const isText = typeof text === 'string' && text !== '' && isStorable(text);
    return isText ? undefined : 'source.text must be well-formed text of at least 1 character, without NUL characters';
  }
  const isUrl = typeof url === 'string' && lengthOf(url) <= MAX_URL && isWebAddress(url);
  return isUrl
    ? undefined
    : `source.url must be an absolute http or https address of at most ${String(MAX_URL)} characters`;
}

/** The fields of the description of an API that bodies set. */
export class OpenApiSpecFields {
  @Slug()
  slug!: string;

  /** Where it comes from. */
  @SourceOf()
  source!: Source;
}
