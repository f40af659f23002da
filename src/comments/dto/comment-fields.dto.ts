import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { ArrayMaxSize, IsArray, ValidateBy } from 'class-validator';
import { isStorable, lengthOf } from '../../common/validation.js';
import { isBody, MAX_TEXT } from '../comment-body.js';
import { COMMENT_BODY } from '../comment.view.js';
import { emojiKey } from '../emoji.js';

/** Reactions that one request may name in each of its lists. */
const MAX_REACTIONS = 100;

/** The text of a comment, a closed shape (decision 3.54); a tree of nodes is looked into later. */
export function CommentBody(): PropertyDecorator {
  return applyDecorators(
    ApiProperty(COMMENT_BODY),
    // as it was sent: a copy would have lost members that are none of the shape
    Transform(({ obj, key }: TransformFnParams) => (obj as Record<string, unknown>)[key]),
    ValidateBy({
      name: 'commentBody',
      validator: {
        validate: (value: unknown) => problemOf(value) === undefined,
        defaultMessage: (args) => `${args?.property ?? 'body'}${problemOf(args?.value) ?? ''}`,
      },
    }),
  );
}

function problemOf(value: unknown): string | undefined {
  if (!isBody(value)) return ' must be {"markdown": text}, {"document": tree of nodes} or {}, with nothing else in it';
  if (!('markdown' in value)) return undefined;
  if (lengthOf(value.markdown) > MAX_TEXT) return `.markdown must be at most ${MAX_TEXT} characters long`;
  return isStorable(value.markdown) ? undefined : '.markdown must be well-formed text without NUL characters';
}

/** A list of single emoji, each as itself or as code points in hexadecimal (decisions 1.20, 3.57). */
export function Reactions(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 50, example: '👍' },
      maxItems: MAX_REACTIONS,
    }),
    IsArray({ message: '$property must be a list of emoji' }),
    ArrayMaxSize(MAX_REACTIONS, { message: `$property must name at most ${MAX_REACTIONS} emoji` }),
    ValidateBy({
      name: 'reactions',
      validator: {
        validate: (value: unknown) => Array.isArray(value) && value.every((one) => emojiKey(one) !== undefined),
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must hold single emoji, each as itself or as its code points in hexadecimal ` +
          'joined by "-" (as "1f44d")',
      },
    }),
  );
}
