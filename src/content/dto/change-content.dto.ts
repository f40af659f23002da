import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, ValidateNested } from 'class-validator';
import { InsertFilesDto } from './insert-files.dto.js';
import { DeletePageDto, InsertPageDto, RevertPageDto, UpdatePageDto } from './page-changes.dto.js';

const OPERATIONS = {
  insert_page: InsertPageDto,
  update_page: UpdatePageDto,
  delete_page: DeletePageDto,
  revert_page: RevertPageDto,
  insert_files: InsertFilesDto,
};

/** An entry that says to do nothing known. */
class UnknownChangeDto {
  @IsIn(Object.keys(OPERATIONS), { message: `operation must be one of: ${Object.keys(OPERATIONS).join(', ')}` })
  operation!: string;
}

/** One entry of a batch. */
export type ChangeDto = InsertPageDto | UpdatePageDto | DeletePageDto | RevertPageDto | InsertFilesDto;

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
@ApiExtraModels(...Object.values(OPERATIONS))
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
  @ValidateNested({ each: true })
  changes!: ChangeDto[];
}
