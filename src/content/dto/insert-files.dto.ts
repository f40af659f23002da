import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, ValidateBy, ValidateNested } from 'class-validator';
import { NoLists, Optional, Text, WebAddress } from '../../common/validation.js';

/** Bytes of a file that is sent along, at the most. */
const MAX_BYTES = 1024 * 1024;
const MAX_BASE64 = Math.ceil(MAX_BYTES / 3) * 4;

/** Base64 with padding, of at most 1 MiB. */
function Base64(): PropertyDecorator {
  return ValidateBy({
    name: 'base64',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.length <= MAX_BASE64 &&
        value.length % 4 === 0 &&
        /^[A-Za-z0-9+/]*={0,2}$/.test(value) &&
        Buffer.byteLength(value, 'base64') <= MAX_BYTES,
      defaultMessage: () => 'base64 must be at most 1 MiB in base64, with padding and without line ends',
    },
  });
}

/** What a file says it is: `type/subtype`, with parameters or not. */
function ContentType(): PropertyDecorator {
  return ValidateBy({
    name: 'contentType',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length <= 255 && /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(value),
      defaultMessage: () => 'contentType must be a media type, such as image/png',
    },
  });
}

/** A file to add: its bytes, or the address that they are fetched from. */
export class NewFileDto {
  @Text(1, 256)
  name!: string;

  /** An http or https address; no private one. */
  @Optional()
  @WebAddress()
  url?: string;

  /** The bytes in base64, at most 1 MiB. */
  @Optional()
  @ApiProperty({ format: 'byte', maxLength: MAX_BASE64 })
  @Base64()
  base64?: string;

  /** Required with `base64`. */
  @Optional()
  @ApiProperty({ example: 'image/png' })
  @ContentType()
  contentType?: string;

  /** Name of the file within this request; `./<ref>` in any text of the request leads to the file. */
  @Optional()
  @Text(1, 100)
  ref?: string;
}

const FILES = 'files must be an array of 1 to 20 files';

/** Adds files. */
export class InsertFilesDto {
  @IsIn(['insert_files'])
  operation!: 'insert_files';

  @ApiProperty({ type: () => [NewFileDto], minItems: 1, maxItems: 20 })
  @IsArray({ message: FILES })
  @ArrayMinSize(1, { message: FILES })
  @ArrayMaxSize(20, { message: FILES })
  @NoLists()
  @ValidateNested({ each: true })
  @Type(() => NewFileDto)
  files!: NewFileDto[];
}
