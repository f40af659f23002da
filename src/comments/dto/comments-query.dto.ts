import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { OrderedPageQuery, PageQuery } from '../../common/page.dto.js';
import { Optional, QueryOneOf, QueryText } from '../../common/validation.js';

/** Authors that one list may ask for. */
const MAX_AUTHORS = 100;

/** In which form texts are wanted. */
export class FormatQuery {
  /** Form of the texts. */
  @QueryOneOf(['document', 'markdown'], 'markdown')
  format?: 'document' | 'markdown';
}

/** Ids in a query: the parameter given several times, or its values with commas between (decision 5.44). */
function QueryIds(max: number): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'array', items: { type: 'string' }, maxItems: max }),
    Transform(({ value }: { value: unknown }) => idsIn(value)),
    Optional(),
    ValidateBy({
      name: 'queryIds',
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) && value.length <= max && value.every((id) => typeof id === 'string' && id.length <= 64),
        defaultMessage: (args) => `${args?.property ?? 'value'} must name at most ${max} ids of people`,
      },
    }),
  );
}

function idsIn(value: unknown): unknown {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (value === undefined || !parts.every((part) => typeof part === 'string')) return value;
  return [...new Set(parts.flatMap((part) => part.split(',')))].sort();
}

/** Which comments a list holds, and how. */
export class CommentsQuery extends IntersectionType(OrderedPageQuery, FormatQuery) {
  @QueryOneOf(['all', 'open', 'resolved'], 'all')
  status?: 'all' | 'open' | 'resolved';

  /** Id of the page that the comments are about. */
  @QueryText()
  targetPage?: string;

  /** Ids of people of whom one wrote the comment; repeated, or with commas between. */
  @QueryIds(MAX_AUTHORS)
  authors?: string[];
}

/** Which part of the replies is wanted, and how. */
export class CommentRepliesQuery extends IntersectionType(PageQuery, FormatQuery) {}
