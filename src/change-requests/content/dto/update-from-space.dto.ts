import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { OptionalBody } from '../../../common/input.pipe.js';
import { Optional } from '../../../common/validation.js';
import type { Resolution } from '../../../revisions/index.js';
import { mistakeInResolutions, RESOLUTION_ITEMS, RESOLUTION_USES } from '../resolutions.js';

const ID = { type: 'string' };
const USE = { type: 'string', enum: [...RESOLUTION_USES] };
const TEXT = { type: 'object', additionalProperties: false, required: ['markdown'], properties: { markdown: ID } };

/** The shapes of a resolution, for the description. */
const SHAPES = RESOLUTION_ITEMS.flatMap((item) => {
  const shape = (name: string, schema: object) => ({
    type: 'object',
    additionalProperties: false,
    required: [item, name],
    properties: { [item]: ID, [name]: schema },
  });
  return item === 'file' ? [shape('use', USE)] : [shape('use', USE), shape('document', TEXT)];
});

const Resolutions = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'array', required: false, items: { oneOf: SHAPES } }),
    ValidateBy({
      name: 'resolutions',
      validator: {
        validate: (value: unknown) => mistakeInResolutions(value) === undefined,
        defaultMessage: (args?: ValidationArguments) => mistakeInResolutions(args?.value) ?? '',
      },
    }),
  );

/** Body of `POST /v1/spaces/:spaceId/change-requests/:changeRequestId/update`; it may be left out. */
@OptionalBody()
export class UpdateFromSpaceDto {
  /**
   * How conflicts are settled, one entry for each page, file or reusable content that has some: by what one side says of
   * all of it, or by a text, the rest being as in the change request.
   */
  @Optional()
  @Resolutions()
  resolutions?: Resolution[];
}
