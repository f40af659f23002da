import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { isStorable, lengthOf } from '../../common/validation.js';
import { PageQuery } from '../../common/page.dto.js';

const MAX_QUERY = 512;

/** What is searched for. */
export class SearchQuery extends PageQuery {
  /** Words, the last one also as the beginning of a word; a phrase stands in double quotes. */
  @ApiProperty({ minLength: 1, maxLength: MAX_QUERY, example: 'borrow checker' })
  @ValidateBy({
    name: 'query',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.trim() !== '' && lengthOf(value) <= MAX_QUERY && isStorable(value),
      defaultMessage: () => `query must be given once, as text of 1 to ${MAX_QUERY} characters that are not all blank`,
    },
  })
  query!: string;
}
