import { PageQuery } from '../../common/page.dto.js';
import { QueryBoolean, QueryInteger, QueryOneOf } from '../../common/validation.js';
import { IntersectionType } from '@nestjs/swagger';

/** What of the content is wanted. */
export class ContentQuery {
  /** Whether to answer Git metadata. */
  @QueryBoolean(true)
  metadata?: boolean;

  /** Whether computed pages are answered as what they are made into; `false`: as their place-holders. */
  @QueryBoolean(true)
  computed?: boolean;
}

/** How a text is wanted. */
export class DocumentQuery {
  /** Whether expressions and conditions are worked out; texts here have none, so both answers are the same. */
  @QueryBoolean(false)
  evaluated?: boolean;
}

/** What of a page is wanted. */
export class PageContentQuery extends IntersectionType(ContentQuery, DocumentQuery) {
  /** Form of the text. */
  @QueryOneOf(['document', 'markdown'], 'markdown')
  format?: 'document' | 'markdown';
}

/** How many changes are answered unless the query says so. */
export const CHANGES = 10;

/** How much of what happened is wanted. */
export class ChangesQuery extends ContentQuery {
  /** How many changes to answer. */
  @QueryInteger(0, 1000, CHANGES)
  limit?: number;
}

/** Which part of the files is wanted. */
export class FilesQuery extends IntersectionType(PageQuery, ContentQuery) {}
