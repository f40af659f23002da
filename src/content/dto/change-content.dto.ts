import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { Nullable, OneOf, Optional, Text } from '../../common/validation.js';
import { LinkTargetDto, PageFields } from './page-fields.dto.js';

/** Largest text of a page, in bytes of UTF-8. */
const MAX_MARKDOWN = 2 * 1024 * 1024;

/** Markdown that can be stored and given back byte for byte. */
function Markdown(): PropertyDecorator {
  return ValidateBy({
    name: 'markdown',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        Buffer.byteLength(value) <= MAX_MARKDOWN &&
        !value.includes('\0') &&
        value.isWellFormed(),
      defaultMessage: () => 'markdown must be well-formed text of at most 2 MiB, without NUL characters',
    },
  });
}

/** The text of a page: Markdown or a tree of nodes; neither for an empty page. */
export class DocumentDto {
  /** It comes back byte for byte. */
  @Optional()
  @Markdown()
  markdown?: string;

  /** The same as a tree of nodes, as reading with `format=document` answers it. */
  @Optional()
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsObject()
  document?: object;
}

/** Adds a page. */
export class InsertPageDto extends PageFields {
  @IsIn(['insert_page'])
  operation!: 'insert_page';

  /** `group` and `link` have no text; a group stands at the root only. */
  @Optional()
  @OneOf(['document', 'group', 'link'])
  type?: 'document' | 'group' | 'link';

  /** Required unless `type` says otherwise. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => DocumentDto)
  document?: DocumentDto;

  /** Required with `type` `link`. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => LinkTargetDto)
  target?: LinkTargetDto;

  /** Id of the page to stand under; left out: the root. */
  @Optional()
  @IsString()
  into?: string;

  /** Place among the siblings, from 0; left out: the end. */
  @Optional()
  @ApiProperty({ type: 'integer' })
  @IsInt()
  @Min(0)
  at?: number;

  /** Name of the page within this request; the answer repeats it. */
  @Optional()
  @Text(1, 100)
  ref?: string;
}

/** Changes a page, moves it, or both. */
export class UpdatePageDto extends PageFields {
  @IsIn(['update_page'])
  operation!: 'update_page';

  /** Id of the page. */
  @IsDefined()
  @IsString()
  page!: string;

  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => DocumentDto)
  document?: DocumentDto;

  /** Id of the page to stand under from now on; `null`: the root; left out: where it is. */
  @Nullable()
  @IsString()
  into?: string | null;

  /** Place among the siblings, from 0; left out: the same, or the end under a new parent. */
  @Optional()
  @ApiProperty({ type: 'integer' })
  @IsInt()
  @Min(0)
  at?: number;
}

/** Removes a page and all below it. */
export class DeletePageDto {
  @IsIn(['delete_page'])
  operation!: 'delete_page';

  /** Id of the page. */
  @IsDefined()
  @IsString()
  page!: string;
}

const OPERATIONS = { insert_page: InsertPageDto, update_page: UpdatePageDto, delete_page: DeletePageDto };

/** An entry that says to do nothing known. */
class UnknownChangeDto {
  @IsIn(Object.keys(OPERATIONS), { message: `operation must be one of: ${Object.keys(OPERATIONS).join(', ')}` })
  operation!: string;
}

/** One entry of a batch. */
export type ChangeDto = InsertPageDto | UpdatePageDto | DeletePageDto;

/** `value`, an entry of the body, as an instance of the class that its operation names. */
function toChange(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // a list in the place of an entry would be checked as several
  if (Array.isArray(value)) return new UnknownChangeDto();
  const { operation } = value as { operation?: unknown };
  const known = typeof operation === 'string' && Object.hasOwn(OPERATIONS, operation);
  return plainToInstance(known ? OPERATIONS[operation as keyof typeof OPERATIONS] : UnknownChangeDto, value);
}

const ENTRIES = 'changes must be an array of 1 to 50 entries';

/** Body of `POST /v1/spaces/:spaceId/content`. */
@ApiExtraModels(InsertPageDto, UpdatePageDto, DeletePageDto)
export class ChangeContentDto {
  /** Applied in order, all or none, as one revision. */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: 50,
    example: [{ operation: 'insert_page', title: 'Hello', document: { markdown: '# Hello\n\nA first page.\n' } }],
    items: {
      oneOf: Object.values(OPERATIONS).map((operation) => ({ $ref: getSchemaPath(operation) })),
      discriminator: {
        propertyName: 'operation',
        mapping: Object.fromEntries(Object.entries(OPERATIONS).map(([name, type]) => [name, getSchemaPath(type)])),
      },
    },
  })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(toChange) : value))
  @IsArray({ message: ENTRIES })
  @ArrayMinSize(1, { message: ENTRIES })
  @ArrayMaxSize(50, { message: ENTRIES })
  @ValidateNested({ each: true, message: 'each value in changes must be an object' })
  changes!: ChangeDto[];
}
