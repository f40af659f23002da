import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import { parsedUrl } from './parsed-url.js';

/** Absent is fine, `null` is not (class-validator's own `@IsOptional()` lets both through). */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** Absent and `null` are fine. */
export function Nullable(): PropertyDecorator {
  return IsOptional();
}

/** How many characters a person would count: Unicode code points (decision 1.18). */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * Whether `text` can be stored and given back unchanged: no NUL character, and no half of a surrogate pair (UTF-8
 * has no form for it).
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A string of `min` to `max` characters, counted in code points, that can be stored unchanged. */
export function Text(min: number, max: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', ...(min > 0 && { minLength: min }), maxLength: max }),
    ValidateBy({
      name: 'text',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && lengthOf(value) >= min && lengthOf(value) <= max && isStorable(value),
        defaultMessage: (args) => {
          const name = args?.property ?? 'value';
          if (typeof args?.value !== 'string') return `${name} must be a string`;
          if (!isStorable(args.value)) return `${name} must be well-formed text without NUL characters`;
          return `${name} must be ${String(min)} to ${String(max)} characters long`;
        },
      },
    }),
  );
}

/** An absolute http or https address of at most `max` characters (decision 1.19). */
export function WebAddress(max = 2048): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'uri', maxLength: max }),
    ValidateBy({
      name: 'webAddress',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && lengthOf(value) <= max && isWebAddress(value),
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must be an absolute http or https address of at most ${String(max)} characters`,
      },
    }),
  );
}

/** For a list of objects: refuses a list in the list, of which class-validator would check only what is in it. */
export function NoLists(): PropertyDecorator {
  return ValidateBy({
    name: 'noLists',
    validator: {
      validate: (value: unknown) => listIn(value) === -1,
      defaultMessage: (args) => `${args?.property ?? 'value'}.${String(listIn(args?.value))} must be an object`,
    },
  });
}

const listIn = (value: unknown): number => (Array.isArray(value) ? value.findIndex((item) => Array.isArray(item)) : -1);

/** Whether `text` is an absolute http or https address. */
export function isWebAddress(text: string): boolean {
  // the parser also takes `https:host` and control characters, which mean something else, or nothing, elsewhere
  return (
    /^https?:\/\/[^/\\]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && isStorable(text) && parsedUrl(text) !== undefined
  );
}

/** An e-mail address in its usual form, at most 254 characters, without any that are not seen. */
export function isEmail(text: string): boolean {
  if (text.length > 254 || /[\p{Cc}\p{Cf}]/u.test(text)) return false;
  return /^[^\s@"<>\\,;:()[\]]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u.test(text) && isStorable(text);
}

/** A string that is an e-mail address. */
export function Email(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'email', maxLength: 254 }),
    ValidateBy({
      name: 'email',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isEmail(value),
        defaultMessage: (args) => `${args?.property ?? 'value'} must be an e-mail address`,
      },
    }),
  );
}

/** What emoji are made of: pictures, letters of flags, digits of keycaps, tags, and what joins and varies them. */
const EMOJI =
  /^(?=.*(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3))[\p{Extended_Pictographic}\p{Emoji_Component}\u{E0020}-\u{E007F}]+$/u;

/** An emoji: 1 to 50 characters, the emoji itself or its code points in hexadecimal, joined by `-` (decision 1.20). */
export function isEmoji(value: unknown): value is string {
  if (typeof value !== 'string' || lengthOf(value) < 1 || lengthOf(value) > 50) return false;
  if (!/^[0-9a-fA-F]{2,6}(-[0-9a-fA-F]{2,6})*$/.test(value)) return EMOJI.test(value);
  return value.split('-').every((point) => parseInt(point, 16) <= 0x10ffff);
}

/** A string that is one emoji, as {@link isEmoji} says. */
export function Emoji(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', minLength: 1, maxLength: 50, example: '📘' }),
    ValidateBy({
      name: 'emoji',
      validator: {
        validate: isEmoji,
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must be an emoji, or its code points in hexadecimal joined by "-" (as "1f600")`,
      },
    }),
  );
}

/** One of `values`; the message lists them. */
export function OneOf(values: readonly (string | null)[], options?: ValidationOptions): PropertyDecorator {
  const named = values.map((value) => value ?? 'null').join(', ');
  return applyDecorators(
    ApiProperty({ enum: values.filter((value) => value !== null), nullable: values.includes(null), type: 'string' }),
    IsIn(values, { message: `$property must be one of: ${named}`, ...options }),
  );
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const NO_MOMENT = '$property must be a date and time in ISO 8601 with a time zone, such as 2030-01-31T12:00:00Z';

/** That a text is a date and time with a time zone. */
const momentRules = (): PropertyDecorator[] => [
  Matches(MOMENT, { message: NO_MOMENT }),
  IsISO8601({ strict: true, strictSeparator: true }, { message: NO_MOMENT }),
];

/** A date and time in ISO 8601 with a time zone. */
export function Moment(): PropertyDecorator {
  return applyDecorators(ApiProperty({ type: 'string', format: 'date-time' }), ...momentRules());
}

const isAbsent = (value: unknown): boolean => value === undefined;

/** A query parameter that may be left out; in the description it carries `schema`. */
function QueryParameter(
  schema: ApiPropertyOptions,
  convert: (value: unknown) => unknown,
  ...rules: PropertyDecorator[]
) {
  return applyDecorators(
    ApiPropertyOptional(schema),
    Transform(({ value }: { value: unknown }) => (isAbsent(value) ? value : convert(value))),
    Optional(),
    ...rules,
  );
}

/** A whole number in a query, written in decimal digits; anything else is refused, nothing is clamped (decision 1.5). */
export function QueryInteger(min: number, max: number, initially?: number): PropertyDecorator {
  const message = `$property must be a whole number from ${String(min)} to ${String(max)}`;
  return QueryParameter(
    { type: 'integer', minimum: min, maximum: max, ...(initially !== undefined && { default: initially }) },
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** `true` or `false` in a query, spelled just so (decision 1.13). */
export function QueryBoolean(initially?: boolean): PropertyDecorator {
  return QueryParameter(
    { type: 'boolean', ...(initially !== undefined && { default: initially }) },
    (value) => (value === 'true' ? true : value === 'false' ? false : value),
    IsBoolean({ message: '$property must be true or false' }),
  );
}

/** One of `values` in a query. */
export function QueryOneOf(values: readonly string[], initially?: string): PropertyDecorator {
  return QueryParameter(
    { type: 'string', enum: [...values], ...(initially !== undefined && { default: initially }) },
    (value) => value,
    IsIn(values, { message: `$property must be one of: ${values.join(', ')}` }),
  );
}

/** Any text in a query, given once. */
export function QueryText(max = 2048): PropertyDecorator {
  return QueryParameter(
    { type: 'string', maxLength: max },
    (value) => value,
    IsString({ message: '$property must be given once, as text' }),
    ValidateBy({
      name: 'queryText',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && lengthOf(value) <= max && isStorable(value),
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must be well-formed text of at most ${String(max)} characters`,
      },
    }),
  );
}

/** A date and time in a query, in ISO 8601 with a time zone. */
export function QueryMoment(): PropertyDecorator {
  return QueryParameter({ type: 'string', format: 'date-time' }, (value) => value, ...momentRules());
}
