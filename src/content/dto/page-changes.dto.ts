import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsString, Min, ValidateBy, ValidateNested } from 'class-validator';
import { Nullable, OneOf, Optional, Text } from '../../common/validation.js';
import { MAX_MARKDOWN, PAGE_KINDS, type PageKind } from '../../revisions/index.js';
import { ContentRefDto, Id } from './content-ref.dto.js';
import { PageFields } from './page-fields.dto.js';

const PAGE = '$property must be the id of a page';
const PLACE = '$property must be a whole number from 0';

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

/** The description of what a computed page is made from. */
export const COMPUTED = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    dependencies: { type: 'object', additionalProperties: true },
    props: { type: 'object', additionalProperties: true },
  },
  additionalProperties: true,
  example: {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
  },
} as const;

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

/** What a page is given when it is added or changed. */
export class PageContentFields extends PageFields {
  /** Of documents, which need it when they are added: the text. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => DocumentDto)
  document?: DocumentDto;

  /** Of links, which need it when they are added: where it leads. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ContentRefDto)
  target?: ContentRefDto;

  /** Of computed pages, which need it when they are added: what it is made from. */
  @Optional()
  @ApiProperty(COMPUTED)
  @IsObject()
  computed?: object;

  /** Place among the siblings, from 0; left out: the end, or where it is when it keeps its parent. */
  @Optional()
  @ApiProperty({ type: 'integer' })
  @IsInt({ message: PLACE })
  @Min(0, { message: PLACE })
  at?: number;
}

/** Adds a page. */
export class InsertPageDto extends PageContentFields {
  @IsIn(['insert_page'])
  operation!: 'insert_page';

  /** Only a `document` has a text; a group stands at the root only. */
  @Optional()
  @OneOf(PAGE_KINDS)
  @ApiProperty({ default: 'document' })
  type?: PageKind;

  /** Id of the page to stand under; left out: the root. */
  @Optional()
  @IsString({ message: PAGE })
  into?: string;

  /**
   * Name of the page within this request; the answer repeats it. Links `./<ref>.md` in any text of the request lead to
   * the page. No path of a page that is there.
   */
  @Optional()
  @Text(1, 100)
  ref?: string;
}

/** Changes a page, moves it, or both. */
export class UpdatePageDto extends PageContentFields {
  @IsIn(['update_page'])
  operation!: 'update_page';

  /** Id of the page. */
  @IsString({ message: PAGE })
  page!: string;

  /** Id of the page to stand under from now on; `null`: the root; left out: where it is. */
  @Nullable()
  @IsString({ message: `${PAGE}, or null for the root` })
  into?: string | null;
}

/** Removes a page and all below it. */
export class DeletePageDto {
  @IsIn(['delete_page'])
  operation!: 'delete_page';

  /** Id of the page. */
  @IsString({ message: PAGE })
  page!: string;
}

/**
 * Brings a page back to what it was in an earlier revision: one that was added since is removed, one that was deleted is
 * restored with the pages that lay below it, any other gets back its text, its fields and its place.
 */
export class RevertPageDto {
  @IsIn(['revert_page'])
  operation!: 'revert_page';

  /** Id of the page. */
  @IsString({ message: PAGE })
  page!: string;

  /** Id of a revision of the space; left out: the one before the present one. */
  @Optional()
  @Id()
  revision?: string;

  @ApiHideProperty()
  @ValidateBy({
    name: 'noBlock',
    validator: {
      validate: (value: unknown) => value === undefined,
      defaultMessage: () => 'block is not supported: leave it out, and the whole page is reverted',
    },
  })
  block?: unknown;
}
