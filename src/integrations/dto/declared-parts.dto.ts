import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { NoLists, Optional, Text, WebAddress } from '../../common/validation.js';
import { readTexts } from '../declared/reading.js';
import { ReadBy } from './read-by.js';

/** Patterns of addresses of one block. */
const MAX_PATTERNS = 50;

/** How a block is written in Markdown. */
export class BlockMarkdownDto {
  /** The language of fenced code that stands for the block. */
  @Text(0, 100)
  codeblock!: string;

  /** Name of the property that holds the text of the code. */
  @Text(0, 100)
  body!: string;
}

/** What blocks and content sources are called. */
export class DeclaredPartDto {
  @Text(1, 100)
  id!: string;

  @Text(2, 40)
  title!: string;

  @Optional()
  @Text(0, 150)
  description?: string;

  @Optional()
  @Text(0, 2048)
  icon?: string;
}

/** A block that an integration adds to pages. */
export class DeclaredBlockDto extends DeclaredPartDto {
  /** Patterns of addresses that become the block, such as `https://github.com/**`. */
  @Optional()
  @ReadBy((value) => readTexts(value, 'urlUnfurl', MAX_PATTERNS, 2048), {
    type: 'array',
    items: { type: 'string', maxLength: 2048 },
    maxItems: MAX_PATTERNS,
  })
  urlUnfurl?: string[];

  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => BlockMarkdownDto)
  markdown?: BlockMarkdownDto;
}

/** What a content source asks for. */
export class ComponentDto {
  @Text(1, 2048)
  componentId!: string;
}

/** Something that an integration makes pages of. */
export class DeclaredContentSourceDto extends DeclaredPartDto {
  @IsObject()
  @ValidateNested()
  @Type(() => ComponentDto)
  configuration!: ComponentDto;
}

/** A link of the publisher. */
export class ExternalLinkDto {
  @WebAddress()
  url!: string;

  @Text(0, 200)
  label!: string;
}

/** A list of at most `max` objects of the class that `type` names. */
export function ListOf(type: () => new () => object, max: number): PropertyDecorator {
  return (target, property) => {
    ApiProperty({ type: type(), isArray: true, maxItems: max })(target, property);
    IsArray()(target, property);
    ArrayMaxSize(max)(target, property);
    NoLists()(target, property);
    ValidateNested({ each: true })(target, property);
    Type(type)(target, property);
  };
}
