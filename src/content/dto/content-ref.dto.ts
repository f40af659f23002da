import { ValidateBy } from 'class-validator';
import { isId } from '../../common/ids.js';
import { isSlug } from '../../common/slugs.js';
import { OneOf, Optional, Text, WebAddress } from '../../common/validation.js';

/** What content can refer to (decision 3.71). */
export const CONTENT_REF_KINDS = [
  'url',
  'page',
  'anchor',
  'file',
  'space',
  'user',
  'collection',
  'reusable-content',
  'openapi',
] as const;
export type ContentRefKind = (typeof CONTENT_REF_KINDS)[number];

/** An id as this service issues them. */
export function Id(): PropertyDecorator {
  return ValidateBy({
    name: 'id',
    validator: {
      validate: isId,
      defaultMessage: (args) =>
        `${args?.property ?? 'value'} must be an id: 1 to 64 characters of A-Z, a-z, 0-9, - and _`,
    },
  });
}

/** The slug of an OpenAPI specification. */
function SpecSlug(): PropertyDecorator {
  return ValidateBy({
    name: 'specSlug',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isSlug(value),
      defaultMessage: (args) => `${args?.property ?? 'value'} must be the slug of an OpenAPI specification`,
    },
  });
}

/** A reference to content. Which of its fields count follows from `kind`. */
export class ContentRefDto {
  @OneOf(CONTENT_REF_KINDS)
  kind!: ContentRefKind;

  /** With `url`: an http or https address. */
  @Optional()
  @WebAddress()
  url?: string;

  /** With `page` and `anchor`: id of the page. */
  @Optional()
  @Id()
  page?: string;

  /** With `anchor`: a heading of the page. */
  @Optional()
  @Text(1, 500)
  anchor?: string;

  /** With `file`: id of a file of the space. */
  @Optional()
  @Id()
  file?: string;

  /** With `space`: its id. With `page`, `anchor` and `reusable-content`: the space they are in, when it is another. */
  @Optional()
  @Id()
  space?: string;

  /** With `user`: id of a person. */
  @Optional()
  @Id()
  user?: string;

  /** With `collection`: its id. */
  @Optional()
  @Id()
  collection?: string;

  /** With `reusable-content`: its id. */
  @Optional()
  @Id()
  reusableContent?: string;

  /** With `openapi`: slug of the specification. */
  @Optional()
  @SpecSlug()
  spec?: string;
}
