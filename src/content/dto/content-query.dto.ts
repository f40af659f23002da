import { PageQuery } from '../../common/page.dto.js';
import { QueryBoolean, QueryOneOf } from '../../common/validation.js';
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

/** What of a page is wanted. */
export class PageContentQuery extends ContentQuery {
  /** Form of the text. */
  @QueryOneOf(['document', 'markdown'], 'markdown')
  format?: 'document' | 'markdown';
}

/** Which part of the files is wanted. */
export class FilesQuery extends IntersectionType(PageQuery, ContentQuery) {}
